"""Many correct answers: draw, verify, count and score depth-first forests, shortest-path trees and spanning trees.

A depth-first search of one graph can end in many forests, a shortest-path computation in many trees. This package
judges candidates exactly, counts solutions exactly, and scores the parent matrices of anybody's model:

>>> import networkx as nx, tiebreak
>>> graph = nx.cycle_graph(["a", "b", "c", "d"])
>>> tiebreak.count(graph, "dfs")
2
>>> print(tiebreak.verify(graph, {"b": "a", "c": "b", "d": "a"}, "dfs"))
vertex 'b' breaks the rule that siblings can be visited in an order in which no edge leads into a later subtree (see 'c' -> 'd', 'd' -> 'c')

A graph is a networkx graph, an adjacency matrix (row = tail, 0 = no edge) or a :class:`Graph`. Algorithms are
``"dfs"`` (restarts at the first unvisited vertex) and ``"dfs-any-restart"``; with a ``source`` ``"bellman-ford"`` (no negative
cycle), ``"dijkstra"`` (no negative weight), ``"dag-shortest-paths"`` (no cycle), ``"bfs"`` (no weights) and ``"prim"`` (an undirected
graph). The names of dm-clrs (``"mst_prim"``) are understood, too. The same seed gives the same result, to the bit.
"""

from ._draws import Ties, count, distribution, draw, extract, runs
from ._graph import Graph, GraphLike
from ._native import Intractable, algorithms as _algorithms
from ._score import Score, score
from ._solve import Diversity, Solution, Solutions, Tally, solve
from ._verify import Parents, Verdict, verify, verify_all

EXTRACTORS: dict[str, tuple[str, ...]] = {name: tuple(extractors) for name, *_, extractors in _algorithms()}
"""The extractors of each algorithm."""

ALGORITHMS: tuple[str, ...] = tuple(EXTRACTORS)
"""The names of the algorithms."""

__all__ = [
    "ALGORITHMS",
    "EXTRACTORS",
    "Diversity",
    "Graph",
    "GraphLike",
    "Intractable",
    "Parents",
    "Score",
    "Solution",
    "Solutions",
    "Tally",
    "Ties",
    "Verdict",
    "count",
    "distribution",
    "draw",
    "extract",
    "runs",
    "score",
    "solve",
    "verify",
    "verify_all",
]
