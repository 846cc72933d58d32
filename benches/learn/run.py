"""A learnt cost beside shortest routes by length, on a synthetic city (the recipe is in src/learn/city.rs).

    cargo build --release && cargo build --release --example city
    python3 benches/learn/run.py --columns 15 --rows 15 --trips 1000

Needs nothing but Python 3.9. Measures, on trips that nobody learnt from: exact match of the first route, recall of the observed route among
five, whether tau holds, and seconds; for the learnt cost and for length alone.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*arguments, folder):
    begin = time.perf_counter()
    done = subprocess.run([str(argument) for argument in arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}\n{done.stderr}")
    return time.perf_counter() - begin, done.stdout


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def scores(folder, name, tau=None):
    """Exact match, recall and the share within tau of the routes that were observed but not learnt from."""
    observed = [line["path"] for line in lines(folder / "fresh.jsonl")]
    answers = lines(folder / name)
    assert len(observed) == len(answers)
    found = [[route["path"] for route in answer["routes"]] for answer in answers]
    exact = sum(path == routes[0] for path, routes in zip(observed, found)) / len(observed)
    recall = sum(path in routes for path, routes in zip(observed, found)) / len(observed)
    return exact, recall


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--columns", type=int, default=15)
    parser.add_argument("--rows", type=int, default=15)
    parser.add_argument("--trips", type=int, default=1000)
    parser.add_argument("--temperature", type=float, default=5.0)
    parser.add_argument("--own", type=float, default=6.0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--target", type=pathlib.Path, default=ROOT / "target" / "release")
    settings = parser.parse_args()
    tiebreak, city = settings.target / "tiebreak", settings.target / "examples" / "city"
    print("| seed | city | cost | exact match | recall among 5 | held-out exact / recall / tau | seconds |")
    print("|---|---|---|---|---|---|---|")
    for seed in range(settings.seeds):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            shape = [settings.columns, settings.rows, settings.trips, settings.temperature, settings.own, seed]
            _, about = run(city, folder, *shape, folder=folder)
            queries = ["--queries", "queries.jsonl", "-k", 5]
            seconds, _ = run(tiebreak, "solve", "roads.csv", "--weight", "length", *queries, "--jsonl", "length.jsonl", folder=folder)
            exact, recall = scores(folder, "length.jsonl")
            print(f"| {seed} | {about.strip()} | length | {exact:.3f} | {recall:.3f} | | {seconds:.1f} |", flush=True)
            learn = ["learn", "roads.csv", "--columns", "from,to", "--features", "length,class,oneway,turn"]
            seconds, _ = run(tiebreak, *learn, "--observed", "trips.jsonl", "--out", "cost", folder=folder)
            more, _ = run(tiebreak, "solve", "roads.csv", "--cost", "cost", *queries, "--jsonl", "learnt.jsonl", folder=folder)
            exact, recall = scores(folder, "learnt.jsonl")
            account = json.loads((folder / "cost" / "account.json").read_text())
            fit, tau = account["held_out"], account["calibration"]["tau"]
            inside = f"{fit['exact']:.3f} / {fit['recall']:.3f} / {tau:.3f}"
            print(f"| {seed} | | learnt | {exact:.3f} | {recall:.3f} | {inside} | {seconds:.1f} + {more:.1f} |", flush=True)


if __name__ == "__main__":
    main()
