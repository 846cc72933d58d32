"""What a person would write without tiebreak: `peer.py TASK PEER FILE` prints seconds (wall, processor) from file to answer and in memory.

Importing the libraries is not counted.
"""
import itertools, json, sys, time

task, name, path = sys.argv[1:]
import pandas as pd
import numpy as np
if name == 'polars':
    import polars as pl
if name == 'scipy':
    from scipy.sparse import coo_array
    from scipy.sparse import csgraph
if name == 'networkx':
    import networkx as nx
if name == 'rustworkx':
    import rustworkx as rx
if name == 'igraph':
    import igraph


def clock():
    return time.perf_counter(), time.process_time()


def read():
    """The table, vertices as numbers in the order in which they appear."""
    table = pd.read_csv(path)
    codes, names = pd.factorize(pd.concat([table['source'], table['target']], ignore_index=True))
    weights = table['weight'].to_numpy(float) if 'weight' in table else np.ones(len(table))
    return codes[:len(table)], codes[len(table):], weights, len(names)


def scipy_graph():
    tails, heads, weights, n = read()
    if task != 'matching':
        return coo_array((weights, (tails, heads)), shape=(n, n)).tocsr()
    # Numbers of their own for either side.
    (tails, lefts), (heads, rights) = pd.factorize(tails), pd.factorize(heads)
    return coo_array((weights, (tails, heads)), shape=(len(lefts), len(rights))).tocsr()


def networkx_graph():
    table = pd.read_csv(path)
    kind = nx.Graph if task == 'matching' else nx.DiGraph
    attributes = ['weight'] if 'weight' in table else None
    return nx.from_pandas_edgelist(table, edge_attr=attributes, create_using=kind)


def rustworkx_graph():
    tails, heads, weights, n = read()
    graph = rx.PyDiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from_no_data(list(zip(tails.tolist(), heads.tolist())))
    return graph


def igraph_graph():
    tails, heads, weights, n = read()
    graph = igraph.Graph(n=n, edges=np.column_stack([tails, heads]), directed=True)
    graph.es['weight'] = weights
    return graph


def networkx_routes(graph):
    tail, head = next(iter(graph.edges))
    return list(itertools.islice(nx.shortest_simple_paths(graph, tail, head, weight='weight'), 10))


def networkx_matching(graph):
    left = nx.bipartite.sets(graph)[0] if nx.is_connected(graph) else {tail for tail, _ in graph.edges}
    return nx.bipartite.hopcroft_karp_matching(graph, left)


GRAPHS = {'scipy': scipy_graph, 'networkx': networkx_graph, 'rustworkx': rustworkx_graph, 'igraph': igraph_graph,
          'polars': lambda: pl.read_csv(path), 'pandas': lambda: pd.read_csv(path)}
ANSWERS = {
    'read': lambda table: table,
    'shortest paths scipy': lambda graph: csgraph.dijkstra(graph, indices=0, return_predecessors=True),
    'spanning forest scipy': lambda graph: csgraph.minimum_spanning_tree(graph),
    'matching scipy': lambda graph: csgraph.maximum_bipartite_matching(graph, perm_type='column'),
    'matching networkx': networkx_matching,
    'order networkx': lambda graph: list(nx.topological_sort(graph)),
    'order rustworkx': lambda graph: rx.topological_sort(graph),
    'routes networkx': networkx_routes,
    'routes igraph': lambda graph: graph.get_k_shortest_paths(graph.es[0].source, graph.es[0].target, k=10, weights='weight'),
}

start = clock()
graph = GRAPHS[name]()
ready = clock()
answer = ANSWERS.get(f'{task} {name}', ANSWERS['read'])(graph)
end = clock()
print(json.dumps({'file': [end[i] - start[i] for i in (0, 1)], 'memory': [end[i] - ready[i] for i in (0, 1)]}))
