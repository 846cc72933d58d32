"""Many correct answers: draw, verify, count and score forests, shortest paths, spanning trees, matchings, orders and schedules.

A depth-first search of one graph can end in many forests, a shortest-path computation in many trees. This package
judges candidates exactly, counts solutions exactly, and scores the parent matrices of anybody's model:

>>> import networkx as nx, tiebreak
>>> graph = nx.cycle_graph(["a", "b", "c", "d"])
>>> tiebreak.count(graph, "dfs")
2
>>> print(tiebreak.verify(graph, {"b": "a", "c": "b", "d": "a"}, "dfs"))
vertex 'b' breaks the rule that siblings can be visited in an order in which no edge leads into a later subtree (see 'c' -> 'd', 'd' -> 'c')

Everything works on one graph or on batches of them: :func:`generate` and :class:`Stream` give stacked arrays to train on,
:func:`train`, :func:`load` and :func:`evaluate` do what the command line does, with the same seeds and bits.

A graph is a networkx graph, an adjacency matrix (row = tail, 0 = no edge; dense or scipy's) or a :class:`Graph`. Algorithms are
``"dfs"`` (restarts at the first unvisited vertex) and ``"dfs-any-restart"``; with a ``source`` ``"bellman-ford"`` (no negative
cycle), ``"dijkstra"`` (no negative weight), ``"dag-shortest-paths"`` (no cycle), ``"bfs"`` (no weights) and ``"prim"`` (an undirected
graph); ``"kruskal"`` (undirected), ``"matching"`` (bipartite) and ``"topological-sort"`` (no cycle); and about :class:`Items` instead of a graph
``"task-scheduling"`` and ``"activity-selection"``. The names of dm-clrs (``"mst_prim"``) are understood, too. The same seed gives the same result, to the bit.

:func:`learn` finds what edges cost from routes that people took, and answers under that cost.

Beside other tools: :mod:`tiebreak.clrs` (dm-clrs), :mod:`tiebreak.pyg` (PyTorch Geometric), :mod:`tiebreak.jraph`.
"""

from ._batch import Batch, Graphs, Preset, Ties, generate
from ._draws import count, distribution, draw, extract, runs
from ._evaluate import Row, Rows, evaluate
from ._graph import ALGORITHM_FACTS as _FACTS, FORMS, Graph, GraphLike
from ._items import Items, ItemsLike
from ._learn import Cost, Route, Routes, learn, load_cost
from ._models import Executor, Log, Model, load, read_log, train
from ._native import Intractable, version as __version__
from ._score import Score, score
from ._solve import Diversity, Solution, Solutions, Tally, solve
from ._stream import Stream
from ._verify import Answer, Parents, Verdict, Verdicts, verify, verify_all

from_pandas = Graph.from_pandas
"""The graph of a DataFrame: :meth:`Graph.from_pandas`."""

EXTRACTORS: dict[str, tuple[str, ...]] = {name: tuple(facts["extractors"]) for name, facts in _FACTS.items()}
"""The extractors of each algorithm."""

ALGORITHMS: tuple[str, ...] = tuple(EXTRACTORS)
"""The names of the algorithms."""

__all__ = [
    "ALGORITHMS",
    "EXTRACTORS",
    "FORMS",
    "Answer",
    "Batch",
    "Cost",
    "Diversity",
    "Executor",
    "Graph",
    "GraphLike",
    "Graphs",
    "Intractable",
    "Items",
    "ItemsLike",
    "Log",
    "Model",
    "Parents",
    "Preset",
    "Route",
    "Routes",
    "Row",
    "Rows",
    "Score",
    "Solution",
    "Solutions",
    "Stream",
    "Tally",
    "Ties",
    "Verdict",
    "Verdicts",
    "__version__",
    "count",
    "distribution",
    "draw",
    "evaluate",
    "extract",
    "from_pandas",
    "generate",
    "learn",
    "load",
    "load_cost",
    "read_log",
    "runs",
    "score",
    "solve",
    "train",
    "verify",
    "verify_all",
]
