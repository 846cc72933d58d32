#!/usr/bin/env python3
"""Times tiebreak's network beside dm-clrs, alternately, on the same graphs, and prints tables in Markdown.

    python3 benches/clrs/run.py [--quick] [--venv DIR]

Makes a virtual environment with dm-clrs from PyPI (in `target/clrs-venv` unless told otherwise), builds `examples/clrs_speed.rs`, and
keeps one process of each running. For each shape dm-clrs draws the graphs and writes them down for the other; then the two take turns,
each while the other is stopped, and the table has medians. What is timed is the same: whole training steps (forward, backward, clipping, Adam), or predictions;
drawing graphs is not. dm-clrs pads every graph to the longest run and compiles once for each shape; compiling has a column of its own.

On a machine that is busy with other things wall times of both suffer; the ratio by processor time (user and system, all
threads) is beside the one by wall time for that reason.
"""
import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CYCLE = [4, 7, 11, 13, 16]
FULL = 'n rounds each'
SHAPES = [  # name, algorithm, sizes, batch, mode, turns, repetitions of dm-clrs and of ours in a turn, wanted ratio
    ('Bellman-Ford training, batch 32, n = 4 … 16', 'bellman_ford', CYCLE, 32, 'train', 9, 1, 8, 20),
    ('DFS training, batch 32, n = 4 … 16', 'dfs', CYCLE, 32, 'train', 5, 1, 3, 9),
    ('Bellman-Ford training, batch 1, n = 16', 'bellman_ford', [16], 1, 'train', 5, 10, 20, 3.5),
    ('DFS training, batch 1, n = 16', 'dfs', [16], 1, 'train', 5, 5, 10, 3.5),
    ('Bellman-Ford training, batch 32, n = 16', 'bellman_ford', [16], 32, 'train', 9, 1, 20, None),
    ('DFS training, batch 32, n = 16', 'dfs', [16], 32, 'train', 5, 1, 5, None),
    ('Kruskal training, batch 32, n = 4 … 16', 'mst_kruskal', CYCLE, 32, 'train', 3, 1, 1, None),
    ('task scheduling training, batch 32, n = 4 … 16', 'task_scheduling', CYCLE, 32, 'train', 5, 1, 2, None),
    (f'Bellman-Ford training, batch 32, n = 4 … 16, {FULL}', 'bellman_ford', CYCLE, 32, 'train', 5, 1, 2, None),
    ('Bellman-Ford inference, batch 32, n = 64', 'bellman_ford', [64], 32, 'predict', 5, 1, 4, 8),
]


class Process:
    """A program that answers one JSON line with another."""

    def __init__(self, *command):
        self.pipe = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.pipe.stdin.write(json.dumps(request) + '\n')
        self.pipe.stdin.flush()
        answer = self.pipe.stdout.readline()
        if not answer:
            sys.exit(f'no answer to {request}')
        return json.loads(answer)

    def pause(self):
        self.pipe.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.pipe.send_signal(signal.SIGCONT)

    def end(self):
        self.pipe.stdin.close()
        self.pipe.wait()


def environment(folder):
    """Python with dm-clrs; made if it is not there."""
    python = folder / 'bin' / 'python'
    if not python.exists():
        print(f'making {folder} …', file=sys.stderr)
        venv.create(folder, with_pip=True)
        subprocess.run([python, '-m', 'pip', 'install', '--quiet', 'dm-clrs', 'safetensors'], check=True)
    return python


def build():
    subprocess.run(['cargo', 'build', '--quiet', '--release', '--example', 'clrs_speed'], cwd=ROOT, check=True)
    target = pathlib.Path(os.environ.get('CARGO_TARGET_DIR', ROOT / 'target'))
    return target / 'release' / 'examples' / 'clrs_speed'


def medians(times):
    return [statistics.median(column) for column in zip(*times)]


def compare(shape, python, ours, threads, folder, quick):
    name, algorithm, sizes, batch, mode, turns, their_repetitions, our_repetitions, wanted = shape
    theirs = Process(python, HERE / 'dm_clrs.py')
    file = str(pathlib.Path(folder) / 'graphs.safetensors')
    prepared = theirs.ask(do='prepare', algorithm=algorithm, sizes=sizes, batch=batch, mode=mode, file=file, full=FULL in name)
    engine = Process(ours)
    engine.ask(do='load', algorithm=algorithm, file=file, sizes=sizes, mode=mode)
    engine.ask(do='run', repetitions=2, threads=threads)
    their_times, our_times, peaks = [], [], []
    for _ in range(1 if quick else turns):
        their_times += theirs.ask(do='run', repetitions=their_repetitions)['times']
        theirs.pause()  # its threads would go on spinning for a while in our turn
        our_times += engine.ask(do='run', repetitions=our_repetitions, threads=threads)['times']
        peaks.append(engine.ask(do='peak', threads=threads)['gflops'][0])
        theirs.go_on()
    (their_wall, their_cpu), (our_wall, our_cpu, flops) = medians(their_times), medians(our_times)
    peak_wall, peak_cpu = medians(peaks)
    graphs = batch * len(sizes)
    result = {
        'shape': name, 'theirs': graphs / their_wall, 'ours': graphs / our_wall, 'ratio': their_wall / our_wall,
        'by processor time': their_cpu / our_cpu, 'wanted': wanted or '',
        'steps padded / needed': f"{prepared['padded_steps']:.1f} / {prepared['needed_steps']:.1f}",
        'compiling, s': prepared['compiling'],
        'MB theirs': theirs.ask(do='memory')['megabytes'], 'MB ours': engine.ask(do='memory')['megabytes'],
        'of GEMM peak, %': 100 * flops / our_wall / 1e9 / peak_wall, 'by processor time, %': 100 * flops / our_cpu / 1e9 / peak_cpu,
    }
    theirs.end()
    engine.end()
    return result


def inference_table(ours, cores, quick):
    """Milliseconds of ours for one graph against n, batch and threads."""
    engine = Process(ours)
    for n in [16, 32, 64] if quick else [16, 32, 64, 128, 256, 512]:
        for batch in [1, 32] if n <= 128 else [1]:
            for threads in sorted({1, cores}):
                engine.ask(do='draw', nodes=n, rounds=4, batch=batch, mode='predict')
                times = engine.ask(do='run', repetitions=3 if n > 128 else 7, threads=threads)['times']
                wall, _, flops = medians(times[1:])
                yield {'n': n, 'batch': batch, 'threads': threads, 'ms a graph': 1e3 * wall / batch,
                       'GFLOP/s': flops / wall / 1e9}
    engine.end()


def show(value):
    if not isinstance(value, float):
        return str(value)
    return f'{value:.3g}' if value < 100 else f'{value:.0f}'


def print_table(rows):
    """Prints each row as soon as it is there."""
    for i, row in enumerate(rows):
        lines = ([list(row), ['---'] * len(row)] if i == 0 else []) + [[show(value) for value in row.values()]]
        for line in lines:
            print('| ' + ' | '.join(line) + ' |', flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--venv', type=pathlib.Path, default=ROOT / 'target' / 'clrs-venv')
    arguments.add_argument('--quick', action='store_true', help='one turn for each shape')
    arguments.add_argument('--only', type=int, nargs='*', help='numbers of shapes, from 0; and no table of inference')
    chosen = arguments.parse_args()
    python, ours, cores = environment(chosen.venv), build(), os.cpu_count()
    print(f'{cores} threads; load before the start {os.getloadavg()[0]:.1f}. Graphs a second, dm-clrs and ours:\n', flush=True)
    with tempfile.TemporaryDirectory() as folder:
        shapes = [shape for i, shape in enumerate(SHAPES) if chosen.only is None or i in chosen.only]
        print_table(compare(shape, python, ours, cores, folder, chosen.quick) for shape in shapes)
    if chosen.only is None:
        print('\nInference, 4 rounds, ours:\n', flush=True)
        print_table(inference_table(ours, cores, chosen.quick))
    print(f'\nLoad after the end {os.getloadavg()[0]:.1f}.')


if __name__ == '__main__':
    main()
