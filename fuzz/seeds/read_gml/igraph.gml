Creator "igraph version 1.0.0 Mon Nov 16 17:57:56 2026"
Version 1
graph
[
  directed 1
  node
  [
    id 0
    name "Anna"
  ]
  node
  [
    id 1
    name "Bert"
  ]
  node
  [
    id 2
    name "Chloë"
  ]
  edge
  [
    source 0
    target 1
    weight 1.5
    kind "road"
  ]
  edge
  [
    source 1
    target 2
    weight 0.25
    kind "rail"
  ]
  edge
  [
    source 2
    target 0
    weight 3
    kind "road"
  ]
]
