graph [
  directed 1
  node [
    id 0
    label "TXL"
  ]
  node [
    id 1
    label "OSL"
  ]
  node [
    id 2
    label "KEF"
  ]
  node [
    id 3
    label "PMI"
  ]
  edge [
    source 0
    target 1
    weight 838
  ]
  edge [
    source 1
    target 0
    weight 840
  ]
  edge [
    source 1
    target 2
    weight 1750
  ]
]
