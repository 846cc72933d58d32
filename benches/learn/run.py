"""A learnt cost beside shortest routes by length, on roads and trips that are made up.

    cargo build --release && cargo build --release --example city
    python3 benches/learn/run.py district --trips 1000 --folds 5 --variants
    python3 benches/learn/run.py city --columns 15 --rows 15 --trips 1000

Needs nothing but Python 3.9. Measures, on trips that nobody learnt from: exact match of the first route, recall of the observed route among five, and seconds; for length
alone and for the learnt cost; with --variants also for parts of what `tiebreak learn` chooses from. The recipe of the city is in src/learn/city.rs, that of the district in district.py.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import time

from district import District

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEARN = ["learn", "roads.csv", "--columns", "from,to", "--features", "length,class,oneway,turn", "--observed", "trips.jsonl"]
VARIANTS = {
    "columns alone, likelihood": ["--per-edge", "no", "--loss", "likelihood", "--model", "linear"],
    "columns alone, perceptron": ["--per-edge", "no", "--loss", "likelihood", "--model", "mlp"],
    "terms of links and turns, likelihood": ["--per-edge", "yes", "--loss", "likelihood", "--model", "linear"],
    "terms of links and turns, Fenchel-Young": ["--per-edge", "yes", "--loss", "fenchel-young", "--model", "linear"],
}


def run(*arguments, folder):
    begin = time.perf_counter()
    done = subprocess.run([str(argument) for argument in arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}\n{done.stderr}")
    return time.perf_counter() - begin, done.stdout


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_lines(path, objects):
    path.write_text("".join(json.dumps(one) + "\n" for one in objects))


def scores(folder, name):
    """Exact match and recall of the routes that were observed but not learnt from."""
    observed = [line["path"] for line in lines(folder / "fresh.jsonl")]
    found = [[route["path"] for route in answer["routes"]] for answer in lines(folder / name)]
    assert len(observed) == len(found)
    exact = sum(path == routes[0] for path, routes in zip(observed, found)) / len(observed)
    recall = sum(path in routes for path, routes in zip(observed, found)) / len(observed)
    return exact, recall


def measure(tiebreak, folder, variants):
    """Rows (name, exact match, recall, seconds of learning) of one folder with roads, trips and fresh ones."""
    queries = ["--queries", "queries.jsonl", "-k", 5, "--jsonl"]
    run(tiebreak, "solve", "roads.csv", "-a", "dijkstra", "--weight", "length", *queries, "length.jsonl", folder=folder)
    yield "length", *scores(folder, "length.jsonl"), 0.0
    for place, (name, options) in enumerate({**(VARIANTS if variants else {}), "learnt, as the command chooses": []}.items()):
        bootstrap = ["--bootstrap", 0] if options else []
        seconds, _ = run(tiebreak, *LEARN, *options, *bootstrap, "--out", f"cost{place}", folder=folder)
        run(tiebreak, "solve", "roads.csv", "--cost", f"cost{place}", *queries, f"learnt{place}.jsonl", folder=folder)
        yield name, *scores(folder, f"learnt{place}.jsonl"), seconds


def city_folds(settings):
    """Synthetic cities, one for each fold."""
    for seed in range(settings.folds):
        with tempfile.TemporaryDirectory() as folder:
            shape = [settings.columns, settings.rows, settings.trips, settings.temperature, settings.own, seed]
            _, about = run(settings.target / "examples" / "city", folder, *shape, folder=folder)
            yield pathlib.Path(folder), about.strip()


def district_folds(settings):
    """One district; every fold learns from other trips."""
    district = District(settings.seed, via=settings.via, trip=settings.noise)
    trips = [[str(link) for link in district.trip()] for _ in range(settings.folds * settings.trips + settings.fresh)]
    fresh, rest = trips[: settings.fresh], trips[settings.fresh :]
    for fold in range(settings.folds):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "roads.csv").write_text(district.table())
            observed = rest[fold * settings.trips : (fold + 1) * settings.trips]
            write_lines(folder / "trips.jsonl", ({"path": path} for path in observed))
            write_lines(folder / "fresh.jsonl", ({"path": path} for path in fresh))
            write_lines(folder / "queries.jsonl", ({"from": path[0], "to": path[-1]} for path in fresh))
            yield folder, f"{len(district.links)} links, {len(district.turns)} turns, {len(observed)} trips"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roads", choices=["city", "district"])
    parser.add_argument("--trips", type=int, default=1000)
    parser.add_argument("--folds", type=int, default=1)
    parser.add_argument("--variants", action="store_true")
    parser.add_argument("--columns", type=int, default=15)
    parser.add_argument("--rows", type=int, default=15)
    parser.add_argument("--temperature", type=float, default=5.0)
    parser.add_argument("--own", type=float, default=6.0)
    parser.add_argument("--fresh", type=int, default=2000, help="trips of the district that nobody learns from")
    parser.add_argument("--via", type=float, default=0.08, help="share of trips of the district with a stop that nobody knows")
    parser.add_argument("--noise", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", type=pathlib.Path, default=ROOT / "target" / "release")
    settings = parser.parse_args()
    sums = {}
    for folder, about in (city_folds if settings.roads == "city" else district_folds)(settings):
        print(about, flush=True)
        for name, *figures in measure(settings.target / "tiebreak", folder, settings.variants):
            print(f"  {name}: exact {figures[0]:.3f}, among five {figures[1]:.3f}, {figures[2]:.1f} s", flush=True)
            sums[name] = [a + b for a, b in zip(sums.get(name, [0, 0, 0]), figures)]
    print(f"\nmeans of {settings.folds} folds\n\n| cost | exact match | recall among 5 | seconds |\n|---|---|---|---|")
    for name, figures in sums.items():
        exact, recall, seconds = (figure / settings.folds for figure in figures)
        print(f"| {name} | {exact:.3f} | {recall:.3f} | {seconds:.1f} |")


if __name__ == "__main__":
    main()
