"""A learnt cost beside shortest routes by length, on roads and trips that are made up.

    cargo build --release && cargo build --release --example city
    python3 benches/learn/run.py district --trips 1000 --folds 5 --variants
    python3 benches/learn/run.py city --columns 15 --rows 15 --trips 1000
    python3 benches/learn/run.py city --columns 50 --rows 50 --trips 1000     (20,000 turns; with --pfy beside PyEPO, a model for every pair)
    python3 benches/learn/run.py grid --seeds 10                              (PyEPO's benchmark, beside PyEPO)

The first three need nothing but Python 3.9; the last, and --pfy, make a virtual environment in target/peers with PyEPO and torch, and go on in grid.py and pairs.py. Measures, on trips that nobody learnt from: exact match of the first route, recall of the observed route among five, and seconds; for length
alone and for the learnt cost; where the true cost is known, regret; further arguments go to `tiebreak learn`. With --variants also for parts of what `tiebreak learn` chooses from. The recipe of the city is in src/learn/city.rs, that of the district in district.py.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
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
    return exact, recall, regret(folder, [routes[0] for routes in found])


def regret(folder, routes):
    """What the routes cost too much, as a share of what the best ones cost, where the true cost is known."""
    if not (folder / "hidden.csv").exists():
        return math.nan
    rows = (line.split(",") for line in (folder / "hidden.csv").read_text().splitlines()[1:])
    hidden = {(tail, head): float(cost) for tail, head, cost in rows}
    own = sum(hidden[step] for path in routes for step in zip(path, path[1:]))
    return own / sum(float(answer["routes"][0]["length"]) for answer in lines(folder / "best.jsonl")) - 1


def coverage(cost):
    """The share of held-out trips that are within what the other folds promise with probability 90 %."""
    calibration = json.loads((cost / "account.json").read_text())["calibration"]
    return sum(calibration["fresh"]) / len(calibration["fresh"]) if calibration else math.nan


def measure(tiebreak, folder, variants, options, pfy=False):
    """Rows (name, exact match, recall, regret, coverage of tau, seconds of learning) of one folder with roads, trips and fresh ones."""
    queries = ["--queries", "queries.jsonl", "-k", 5, "--jsonl"]
    by_column = ["-a", "dijkstra", "--columns", "from,to", "--weight"]
    if (folder / "hidden.csv").exists():
        run(tiebreak, "solve", "hidden.csv", *by_column, "cost", *queries, "best.jsonl", folder=folder)
    run(tiebreak, "solve", "roads.csv", *by_column, "length", *queries, "length.jsonl", folder=folder)
    yield "length", *scores(folder, "length.jsonl"), math.nan, 0.0
    if pfy:
        _, seconds = run(peers(), pathlib.Path(__file__).with_name("pairs.py"), folder, folder=folder)
        run(tiebreak, "solve", "pfy.csv", *by_column, "cost", *queries, "pfy.jsonl", folder=folder)
        yield "PyEPO's PFY, a model for every pair", *scores(folder, "pfy.jsonl"), math.nan, float(seconds)
    for place, (name, own) in enumerate({**(VARIANTS if variants else {}), "learnt, as the command chooses": options}.items()):
        bootstrap = ["--bootstrap", 0] if own else []
        seconds, _ = run(tiebreak, *LEARN, *own, *bootstrap, "--out", f"cost{place}", folder=folder)
        run(tiebreak, "solve", "roads.csv", "--cost", f"cost{place}", *queries, f"learnt{place}.jsonl", folder=folder)
        yield name, *scores(folder, f"learnt{place}.jsonl"), coverage(folder / f"cost{place}"), seconds


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


def peers():
    """The Python of a virtual environment with PyEPO, which is made if it is not there."""
    folder = ROOT / "target" / "peers"
    python = folder / "bin" / "python"
    if not python.exists() or subprocess.run([str(python), "-c", "import pyepo, torch, scipy"], capture_output=True).returncode:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "pyepo", "torch", "scipy"], check=True)
    return python


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roads", choices=["city", "district", "grid"])
    parser.add_argument("--trips", type=int, default=1000)
    parser.add_argument("--folds", type=int, default=1)
    parser.add_argument("--variants", action="store_true")
    parser.add_argument("--pfy", action="store_true", help="also PyEPO, with a model for every pair")
    parser.add_argument("--columns", type=int, default=15)
    parser.add_argument("--rows", type=int, default=15)
    parser.add_argument("--temperature", type=float, default=5.0)
    parser.add_argument("--own", type=float, default=6.0)
    parser.add_argument("--fresh", type=int, default=2000, help="trips of the district that nobody learns from")
    parser.add_argument("--via", type=float, default=0.08, help="share of trips of the district with a stop that nobody knows")
    parser.add_argument("--noise", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", type=pathlib.Path, default=ROOT / "target" / "release")
    settings, more = parser.parse_known_args()
    if settings.roads == "grid":
        grid = pathlib.Path(__file__).with_name("grid.py")
        subprocess.run([str(peers()), str(grid), "--tiebreak", str(settings.target / "tiebreak"), *more], check=True)
        return
    sums = {}
    for folder, about in (city_folds if settings.roads == "city" else district_folds)(settings):
        print(about, flush=True)
        for name, *figures in measure(settings.target / "tiebreak", folder, settings.variants, more, settings.pfy):
            print(f"  {name}: {row(figures)}", flush=True)
            sums[name] = [a + b for a, b in zip(sums.get(name, [0] * len(figures)), figures)]
    print(f"\nmeans of {settings.folds} folds\n\n| cost | exact match | recall among 5 | regret | held-out trips within tau | seconds |\n|{'---|' * 6}")
    for name, figures in sums.items():
        print(f"| {name} | {row([figure / settings.folds for figure in figures])} |")


def row(figures):
    return " | ".join("–" if math.isnan(figure) else f"{figure:.3f}" for figure in figures[:-1]) + f" | {figures[-1]:.1f}"


if __name__ == "__main__":
    main()
