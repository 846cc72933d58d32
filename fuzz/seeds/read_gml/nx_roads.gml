graph [
  node [
    id 0
    label "Harbour"
  ]
  node [
    id 1
    label "Mill"
  ]
  node [
    id 2
    label "Zo&#235;"
  ]
  node [
    id 3
    label "A&#38;B <1>"
  ]
  edge [
    source 0
    target 1
    weight 0.1
    lanes 2
    name "Harbour-Mill"
  ]
  edge [
    source 0
    target 2
    weight 0.30000000000000004
    lanes 2
    name "Harbour-Zo&#235;"
  ]
  edge [
    source 1
    target 2
    weight 0.2
    lanes 2
    name "Mill-Zo&#235;"
  ]
  edge [
    source 2
    target 3
    weight 2.5
    lanes 2
    name "Zo&#235;-A&#38;B <1>"
  ]
]
