"""Writes the graph files of this folder with the programs that people use, and `truth.json` with what is in them.

    python3 -m venv venv && venv/bin/pip install networkx pandas scipy python-igraph osmnx
    venv/bin/python make.py

Each entry of the truth has the file, the options to read it with, and the names and edges that the program had in
memory when it wrote the file: what a reader must find again.
"""

import csv
import io
import json
import os
import sys

import igraph
import networkx as nx
import numpy as np
import osmnx as ox
import pandas as pd
import scipy.io
import scipy.sparse

os.chdir(os.path.dirname(os.path.abspath(__file__)))
truth = []


def number(value):
    return repr(value.item() if isinstance(value, np.generic) else value)


def record(file, edges, names, directed, positions=None, columns=(), **options):
    truth.append(
        {
            "file": file,
            "options": options,
            "directed": directed,
            "names": [str(name) for name in names],
            "edges": [[str(u), str(v), None if w is None else number(w)] for u, v, w in edges],
            "positions": None if positions is None else {str(k): [float(x), float(y)] for k, (x, y) in positions.items()},
            "columns": list(columns),
        }
    )


def of_networkx(file, graph, weight="weight", **more):
    edges = [(u, v, data.get(weight) if weight else None) for u, v, data in graph.edges(data=True)]
    record(file, edges, graph.nodes, graph.is_directed(), **more)


def roads():
    """Undirected, with names that trip over quotes and alphabets, and one sum of floats as a weight."""
    graph = nx.Graph()
    for u, v, length in [("Harbour", "Mill", 0.1), ("Mill", "Zoë", 0.2), ("Harbour", "Zoë", 0.1 + 0.2), ("Zoë", "A&B <1>", 2.5)]:
        graph.add_edge(u, v, weight=length, lanes=2, name=f"{u}-{v}")
    return graph


def flights():
    graph = nx.DiGraph()
    graph.add_weighted_edges_from([("TXL", "OSL", 838), ("OSL", "TXL", 840), ("OSL", "KEF", 1750)], weight="weight")
    graph.add_node("PMI")
    return graph


def networkx_files():
    plain = nx.relabel_nodes(roads(), {"A&B <1>": "AB"})
    nx.write_edgelist(plain, "nx_weighted_dict.edgelist")
    of_networkx("nx_weighted_dict.edgelist", plain, undirected=True, columns=["weight", "lanes", "name"])
    hops = nx.path_graph(5)
    nx.write_edgelist(hops, "nx_empty_dict.edgelist")
    of_networkx("nx_empty_dict.edgelist", hops, weight=None, undirected=True)
    nx.write_weighted_edgelist(plain, "nx_weighted.edgelist")
    of_networkx("nx_weighted.edgelist", plain, undirected=True)
    nx.write_edgelist(plain, "nx_comma.csv", delimiter=",", data=["weight"])
    of_networkx("nx_comma.csv", plain, undirected=True)
    nx.write_adjlist(flights(), "nx_flights.adjlist")
    of_networkx("nx_flights.adjlist", flights(), weight=None)
    nx.write_adjlist(plain, "nx_roads.adjlist")
    of_networkx("nx_roads.adjlist", plain, weight=None, undirected=True)
    for graph, name in [(roads(), "roads"), (flights(), "flights")]:
        nx.write_graphml(graph, f"nx_{name}.graphml")
        of_networkx(f"nx_{name}.graphml", graph)
        nx.write_gml(graph, f"nx_{name}.gml")
        of_networkx(f"nx_{name}.gml", graph)
        nx.write_gexf(graph, f"nx_{name}.gexf")
        of_networkx(f"nx_{name}.gexf", graph)
        nx.write_pajek(graph, f"nx_{name}.net")
        of_networkx(f"nx_{name}.net", graph)
        for key in ["edges", "links"]:
            with open(f"nx_{name}_{key}.json", "w") as out:
                json.dump(nx.node_link_data(graph, edges=key), out)
            of_networkx(f"nx_{name}_{key}.json", graph)
    lengths = nx.Graph()
    lengths.add_edge(1, 2, length=3.5, minutes=4)
    lengths.add_edge(2, 3, length=1.25, minutes=2)
    nx.write_graphml(lengths, "nx_length.graphml")
    record("nx_length.graphml", [(1, 2, 3.5), (2, 3, 1.25)], [1, 2, 3], False, weight="length", columns=["length", "minutes"])
    placed = nx.Graph([("a", "b"), ("b", "c")])
    where = {"a": (0.0, 1.5), "b": (2.0, -1.0), "c": (3.25, 4.0)}
    nx.set_node_attributes(placed, {name: {"x": x, "y": y} for name, (x, y) in where.items()})
    nx.write_graphml(placed, "nx_placed.graphml")
    of_networkx("nx_placed.graphml", placed, weight=None, positions=where)
    with open("nx_placed.json", "w") as out:
        json.dump(nx.node_link_data(placed, edges="edges"), out)
    of_networkx("nx_placed.json", placed, weight=None, positions=where)
    shown = nx.Graph([("a", "b"), ("b", "c")])
    for name, (x, y) in where.items():
        shown.nodes[name]["viz"] = {"position": {"x": x, "y": y, "z": 0.0}}
    nx.write_gexf(shown, "nx_viz.gexf")
    of_networkx("nx_viz.gexf", shown, weight=None, positions=where)


def osmnx_files():
    """A piece of street as OSMnx keeps it: a multigraph whose every attribute is written as a string."""
    graph = nx.MultiDiGraph(crs="epsg:4326", created_by="make.py", simplified=True)
    where = {101: (13.41, 52.52), 102: (13.42, 52.521), 103: (13.43, 52.519)}
    for node, (x, y) in where.items():
        graph.add_node(node, x=x, y=y, street_count=3)
    streets = [(101, 102, 112.35, "Torstraße"), (102, 101, 112.35, "Torstraße"), (102, 103, 80.5, None), (103, 101, 207.0, "B2")]
    for index, (u, v, length, name) in enumerate(streets):
        data = {"osmid": 7000 + index, "length": length, "oneway": False, "highway": "residential", "lanes": ["2", "3"] if index == 2 else "2"}
        graph.add_edge(u, v, **data, **({"name": name} if name else {}))
    ox.save_graphml(graph, "osmnx.graphml")
    edges = [(u, v, length) for u, v, length, _ in streets]
    record("osmnx.graphml", edges, where, True, positions=where, weight="length", columns=["osmid", "length", "oneway", "highway", "lanes", "name"])
    graph.add_edge(101, 102, osmid=7009, length=99.9, oneway=False, highway="footway", lanes="1")
    ox.save_graphml(graph, "osmnx_parallel.graphml")
    edges[0] = (101, 102, 99.9)
    record("osmnx_parallel.graphml", edges, where, True, positions=where, weight="length", parallel="min")
    _, table = ox.graph_to_gdfs(graph)
    table.drop(columns="geometry").reset_index().to_csv("osmnx_edges.csv", index=False)
    record("osmnx_edges.csv", edges, where, True, weight="length", parallel="min", columns=["key", "osmid", "length"])


def pandas_files():
    table = pd.DataFrame({"a_node": ["Harbour", "Mill", "Zoë"], "b_node": ["Mill", "Zoë", "Harbour"], "length": [1.5, 2.0, 0.25]})
    edges = list(table.itertuples(index=False, name=None))
    names = ["Harbour", "Mill", "Zoë"]
    table.to_csv("pandas_plain.csv", index=False)
    record("pandas_plain.csv", edges, names, True)
    table.to_csv("pandas_index.csv")
    record("pandas_index.csv", edges, names, True)
    pd.read_csv("pandas_index.csv").to_csv("pandas_unnamed.csv", index=False)
    record("pandas_unnamed.csv", edges, names, True)
    table.to_csv("pandas_tabs.tsv", sep="\t", index=False)
    record("pandas_tabs.tsv", edges, names, True)
    table.to_csv("pandas_german.csv", sep=";", decimal=",", encoding="utf-8-sig", lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC, index=False)
    record("pandas_german.csv", edges, names, True)
    wide = table.assign(id=[10, 11, 12], minutes=[3, 4, 5], road=["B1", None, "B3"])[["id", "a_node", "b_node", "road", "minutes", "length"]]
    wide.to_csv("pandas_wide.csv", index=False)
    record("pandas_wide.csv", edges, names, True, weight="length", columns=["id", "road", "minutes", "length"])
    numbers = pd.DataFrame({"first stop": [1, 2], "second stop": [2, 3]})
    numbers.to_csv("pandas_numbers.csv", index=False)
    record("pandas_numbers.csv", [(1, 2, None), (2, 3, None)], [1, 2, 3], True)
    with open("excel.csv", "w", newline="", encoding="utf-8-sig") as out:
        writer = csv.writer(out, dialect="excel", delimiter=";")
        writer.writerow(["von", "nach", "km", ""])
        for u, v, length in edges:
            writer.writerow([u + "; " + v, v, str(length).replace(".", ","), ""])
    quoted = [(f"{u}; {v}", v, length) for u, v, length in edges]
    record("excel.csv", quoted, sorted({name for edge in quoted for name in edge[:2]}), True)


def scipy_files():
    dense = np.array([[0, 1.5, 0, 0], [0, 0, 2.5, 0], [0.1, 0, 0, 3], [0, 0, 0, 0]])
    edges = [(i, j, float(dense[i, j])) for i, j in zip(*np.nonzero(dense))]
    for kind in ["csr", "csc", "coo"]:
        matrix = getattr(scipy.sparse, f"{kind}_matrix")(dense)
        scipy.sparse.save_npz(f"scipy_{kind}.npz", matrix)
        record(f"scipy_{kind}.npz", edges, range(4), True)
    scipy.sparse.save_npz("scipy_array.npz", scipy.sparse.coo_array(dense), compressed=False)
    record("scipy_array.npz", edges, range(4), True)
    scipy.sparse.save_npz("scipy_bool.npz", scipy.sparse.csr_array(dense != 0))
    record("scipy_bool.npz", [(i, j, None) for i, j, _ in edges], range(4), True)
    whole = scipy.sparse.csr_array(np.array([[0, 7], [0, 0]], dtype=np.int32))
    scipy.sparse.save_npz("scipy_int32.npz", whole)
    record("scipy_int32.npz", [(0, 1, 7)], range(2), True)
    symmetric = scipy.sparse.csr_array(np.array([[0, 0.5], [0.5, 0]]))
    scipy.sparse.save_npz("scipy_symmetric.npz", symmetric)
    record("scipy_symmetric.npz", [(0, 1, 0.5)], range(2), False, undirected=True)
    scipy.io.mmwrite("scipy.mtx", scipy.sparse.coo_matrix(dense))
    record("scipy.mtx", [(i + 1, j + 1, w) for i, j, w in edges], range(1, 5), True)
    np.save("numpy.npy", dense)
    record("numpy.npy", edges, range(4), True)
    np.savez_compressed("numpy.npz", adjacency=dense, other=np.arange(3))
    record("numpy.npz", edges, range(4), True)


def igraph_files():
    graph = igraph.Graph(directed=True)
    names = ["Anna", "Bert", "Chloë"]
    graph.add_vertices(names)
    edges = [("Anna", "Bert", 1.5), ("Bert", "Chloë", 0.25), ("Chloë", "Anna", 3.0)]
    graph.add_edges([(u, v) for u, v, _ in edges])
    graph.es["weight"] = [w for _, _, w in edges]
    graph.es["kind"] = ["road", "rail", "road"]
    graph.write_graphml("igraph.graphml")
    record("igraph.graphml", edges, names, True, columns=["weight", "kind"])
    graph.write_gml("igraph.gml")
    record("igraph.gml", edges, names, True)
    graph.vs["name"] = ascii_names = ["Anna", "Bert", "Chloe"]
    graph.write_ncol("igraph_ncol.edges", names="name", weights="weight")
    plain = dict(zip(names, ascii_names))
    record("igraph_ncol.edges", [(plain[u], plain[v], w) for u, v, w in edges], ascii_names, True)
    graph.vs["name"] = names
    graph.write_edgelist("igraph_plain.edges")
    index = {name: place for place, name in enumerate(names)}
    record("igraph_plain.edges", [(index[u], index[v], None) for u, v, _ in edges], range(3), True)
    graph.vs["id"] = names
    graph.write_pajek("igraph.net")
    record("igraph.net", edges, names, True)
    lonely = igraph.Graph(n=4, edges=[(0, 1), (1, 2)])
    lonely.write_pajek("igraph_undirected.net")
    record("igraph_undirected.net", [(1, 2, None), (2, 3, None)], range(1, 5), False)


def main():
    networkx_files()
    osmnx_files()
    pandas_files()
    scipy_files()
    igraph_files()
    # networkx writes where the script lies and what time it is; neither belongs to the graph.
    for file in (file for file in os.listdir(".") if file.endswith(".adjlist")):
        lines = open(file, encoding="utf-8").read().split("\n")
        open(file, "w", encoding="utf-8").write("\n".join(["#make.py", "# GMT"] + lines[2:]))
    versions = {module.__name__: module.__version__ for module in [nx, ox, pd, scipy, igraph, np]}
    out = io.StringIO()
    out.write('{"written_by": %s, "files": [\n' % json.dumps(versions))
    out.write(",\n".join(json.dumps(entry, ensure_ascii=False) for entry in truth))
    out.write("\n]}\n")
    open("truth.json", "w", encoding="utf-8").write(out.getvalue())
    print(f"{len(truth)} files with {sys.executable}", file=sys.stderr)


if __name__ == "__main__":
    main()
