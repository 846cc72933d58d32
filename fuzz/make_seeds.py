"""Writes fuzz/seeds: small real files for every target. From the project's folder, with the tool in target/debug: python3 fuzz/make_seeds.py"""

import json
import pathlib
import shutil
import struct
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEEDS = ROOT / "fuzz/seeds"
REAL = ROOT / "tests/data/real"
LARGEST = 8_000
EXTENSIONS = {
    "csv": "csv", "tsv": "tsv", "edges": "edges", "edgelist": "edges", "json": "node_link", "npy": "npy", "npz": "npz",
    "gr": "dimacs", "mtx": "matrix_market", "graphml": "graphml", "adjlist": "adjlist", "gml": "gml", "gexf": "gexf", "net": "pajek",
}
LEAST = ["steps=1", "batch=1", "sizes=[2]", "validate_every=1", "validation_size=2", "validation_graphs=1", "runs=1", "model.hidden=1"]


def keep(target: str, name: str, content: bytes | str) -> None:
    folder = SEEDS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def without_checksum(file: pathlib.Path) -> bytes:
    """As files were before there were checksums: a fuzzer's changes get past the first line of defence."""
    content = file.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    sealed = json.loads(header["__metadata__"]["tiebreak"])
    header["__metadata__"]["tiebreak"] = json.dumps(sealed["card"], separators=(",", ":"))
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + content[8 + length :]


def graphs() -> None:
    for file in sorted(REAL.iterdir()):
        form = EXTENSIONS.get(file.suffix[1:])
        if form and file.name != "truth.json" and file.stat().st_size <= LARGEST:
            keep(f"read_{form}", file.name, file.read_bytes())
            if form in ("npy", "npz"):
                keep("read_array", file.name, file.read_bytes())
    keep("read_dimacs", "roads.gr", "c roads\np sp 3 3\na 1 2 4\na 2 3 1\na 1 3 6\n")
    for name, words in [
        ("german", "delimiter=; header=yes weight=Länge undirected"),
        ("numbers", "columns=2,1,3 header=no parallel=min round=0.5"),
        ("edges", "format=edges any-weights unweighted parallel=sum"),
    ]:
        table = "von;nach;Länge\na;b;1,5\na;b;2\nb;c;3\n" if name == "german" else "1,2,0.25\n1,2,4\n2,3,1e2\n"
        keep("read_options", name, f"{words}\n{table}")


def tables_and_lines() -> None:
    keep("read_items", "tasks.csv", "task,deadline,weight\nwash,1,3.5\nshop,2,1\ncook,2,2\n")
    keep("read_items", "talks.csv", "name,start,finish\nkeynote,2024-05-01 09:00,2024-05-01 10:30\nlunch,2024-05-01 12:00,2024-05-01 13:00\n")
    keep("read_items", "times.csv", "a,9:00,10:00\nb,9:30,11:00\n")
    keep("read_observations", "paths.jsonl", '{"path":["a","b","c"],"rain":1}\n{"path":["a","?","d"],"rain":"yes"}\n')
    keep("read_observations", "parents.jsonl", '{"parents":["a","a","b","c"]}\n')
    keep("read_observations", "chosen.jsonl", '{"chosen":[["a","b"],["b","c"],["c","d"]],"rain":null}\n')
    for name, line in [
        ("parents", '{"n":3,"edges":[[0,1,0.5],[1,2,2]],"source":0,"parents":[0,0,1],"distribution":[[1,0,0],[1,0,0],[0,1,0]]}'),
        ("chosen", '{"n":3,"edges":[[0,1,1],[1,2,1]],"undirected":true,"chosen":[[0,1],[1,2]]}'),
        ("order", '{"n":3,"edges":[[0,1],[1,2]],"order":[0,1,2],"made":{"p":0.5,"preset":"text","index":7}}'),
        ("selected", '{"items":{"start":[1,2],"finish":[2,3]},"selected":[0,1]}'),
    ]:
        keep("read_cases", name, line)
    keep("read_results", "results.json", json.dumps({"name": "draws", "about": "", "command": "", "tables": [], "figures": [], "exhibits": []}))
    keep("verify", "path", bytes([3, 0, 0, 0, 1, 0, 1, 3, 1, 2, 3]))


def texts() -> None:
    for name in ("times", "vanilla", "training"):
        keep("read_experiment", name, (ROOT / f"experiments/{name}.toml").read_bytes())
    keep("read_settings", "change", "steps = 3\n[model]\nhidden = 4\n\0batch=8\nsizes=[4, 5]")


def files_of_the_tool(folder: pathlib.Path) -> None:
    def tool(*arguments: str) -> None:
        subprocess.run([ROOT / "target/debug/tiebreak", *arguments], cwd=folder, check=True, capture_output=True)

    def changes(settings: list[str]) -> list[str]:
        return [word for setting in settings for word in ("--set", setting)]

    for algorithm in ("bfs", "dfs"):
        tool("train", "-a", algorithm, "--out", algorithm, *changes(LEAST))
        keep("load_network", algorithm, b"\xff" + without_checksum(folder / algorithm / "best.safetensors"))
    keep("load_checkpoint", "bfs", without_checksum(folder / "bfs/last.safetensors"))
    keep("read_log", "bfs.jsonl", (folder / "bfs/log.jsonl").read_bytes())
    keep("read_settings", "bfs.toml", (folder / "bfs/settings.toml").read_bytes())
    tool("train", "--model", "executor", "-a", "bfs", "--out", "executor", *changes(["graphs=2", "batch=5", "steps=1", "hidden=1"]))
    # The first byte chooses among the algorithms; every place is tried, and the one that fits loads.
    for place in range(16):
        keep("load_executor", f"bfs-{place}", bytes([place]) + without_checksum(folder / "executor/best.safetensors"))
    keep("read_settings", "executor.toml", (folder / "executor/settings.toml").read_bytes())
    (folder / "roads.csv").write_text("from,to,length,kind\na,b,1,road\nb,c,2,path\nc,a,1.5,road\na,c,,path\n")
    trips = [["a", "b", "c"], ["b", "c"], ["c", "a", "b"], ["b", "c", "a"], ["a", "c"], ["a", "b"]]
    (folder / "trips.jsonl").write_text("".join(json.dumps({"path": trip}) + "\n" for trip in trips))
    tool("learn", "roads.csv", "--columns", "from,to", "--observed", "trips.jsonl", "--bootstrap", "2", "--out", "cost")
    keep("load_cost", "roads", without_checksum(folder / "cost/cost.safetensors"))
    for name in ("samples.safetensors", "samples.jsonl"):
        tool("generate", "-a", "bfs", "-n", "3", "--graphs", "1", "--out", name)
        keep("read_samples", name, b"\x03" + (folder / name).read_bytes())


if __name__ == "__main__":
    shutil.rmtree(SEEDS, ignore_errors=True)
    graphs()
    tables_and_lines()
    texts()
    with tempfile.TemporaryDirectory() as folder:
        files_of_the_tool(pathlib.Path(folder))
    print(f"{sum(1 for _ in SEEDS.rglob('*'))} files and folders in {SEEDS.relative_to(ROOT)}")
