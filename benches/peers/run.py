"""tiebreak beside what a person would pick instead, on a file of 100,000 vertices and 1,000,000 edges.

    python3 benches/peers/run.py [--turns 3] [--only PART]

Makes a virtual environment with pandas, scipy, networkx, rustworkx, igraph and polars, makes the files (seeded), and lets the programs take
turns. *From file to answer* is the whole process for tiebreak (its start, its printing and its verifying included) and everything but the imports for a
peer. *In memory* starts from the graph that a program has built. The figures are medians of the turns, wall-clock and processor seconds;
on a machine that is not quiet, only ratios of processor seconds mean something.
"""
import argparse, json, os, pathlib, platform, resource, statistics, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / 'target' / 'peers-data'
VENV = ROOT / 'target' / 'peers'
PEERS = ['pandas', 'scipy', 'networkx', 'rustworkx', 'igraph', 'polars']
PROGRAM = ROOT / 'target' / 'release' / 'tiebreak'
IN_MEMORY = ROOT / 'target' / 'release' / 'examples' / 'peers_speed'

# What is asked, the file, our commands, our algorithms in memory, the peers.
TASKS = [
    ('read', 'numbers.csv', [], 'read', ['polars', 'pandas']),
    ('read', 'words.csv', [], 'read', ['polars', 'pandas']),
    ('shortest paths', 'numbers.csv', ['count -a dijkstra', 'solve -a dijkstra -k 1', 'solve -a dijkstra -k 10'], 'dijkstra', ['scipy']),
    ('shortest paths', 'words.csv', ['count -a dijkstra', 'solve -a dijkstra -k 1', 'solve -a dijkstra -k 10'], 'dijkstra', ['scipy']),
    ('spanning forest', 'numbers.csv', ['solve -a kruskal --undirected -k 1', 'solve -a kruskal --undirected -k 10',
                                         'solve -a prim --undirected -k 1', 'solve -a prim --undirected -k 10'], 'kruskal prim', ['scipy']),
    ('matching', 'bipartite.csv', ['solve -a matching --undirected -k 1', 'solve -a matching --undirected -k 10'], 'matching',
     ['scipy', 'networkx']),
    ('order', 'acyclic.csv', ['solve -a topological-sort -k 1', 'solve -a topological-sort -k 10'], 'topological-sort', ['networkx', 'rustworkx']),
    ('routes', 'numbers.csv', ['solve -a dijkstra -k 10 --to'], 'routes', ['networkx', 'igraph']),
]


def ours(command, path):
    tail, head = path.read_text().split('\n', 2)[1].split(',')[:2]
    words = command.split() + ([head] if command.endswith('--to') else [])
    words += ['--source', tail] if {'dijkstra', 'prim'} & set(words) else []
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([PROGRAM, *words, path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return [wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime]


def measured(*words):
    return json.loads(subprocess.check_output([str(word) for word in words]))


def median(pairs):
    return [statistics.median(column) for column in zip(*pairs)]


def row(what, name, seconds, against):
    ratios = '' if against is None else f'{against[0] / seconds[0]:.2f} | {against[1] / seconds[1]:.2f}'
    print(f'| {what} | {name} | {seconds[0]:.3f} | {seconds[1]:.3f} | {ratios or "1 | 1"} |', flush=True)


def compare(task, file, commands, algorithms, peers, turns):
    """Each row has the ratios of the first peer's seconds to its own: above 1 is faster than that peer."""
    path = WORK / file
    found = {}
    slow = {'networkx'}
    for turn in range(turns):
        for peer in peers:
            if peer in slow and turn > 0:
                continue
            seconds = measured(VENV / 'bin' / 'python', ROOT / 'benches/peers/peer.py', task, peer, path)
            found.setdefault(('file', peer), []).append(seconds['file'])
            found.setdefault(('memory', peer), []).append(seconds['memory'])
        for command in commands:
            found.setdefault(('file', f'tiebreak {command}'), []).append(ours(command, path))
        for algorithm in algorithms.split():
            seconds = measured(IN_MEMORY, algorithm, path)
            found.setdefault(('file' if task == 'read' else 'memory', f'tiebreak, {algorithm}'), []).append(seconds)
    for where, words in ('file', 'from file'), ('memory', 'in memory'):
        rows = {name: median(pairs) for (place, name), pairs in found.items() if place == where}
        if task == 'read' and where == 'memory':
            continue
        for name, seconds in rows.items():
            row(f'{task}, {file}, {words}', name, seconds, None if name == peers[0] else rows[peers[0]])


def processor():
    names = [line.split(':')[1].strip() for line in open('/proc/cpuinfo') if line.startswith('model name')]
    return f'{os.cpu_count()} x {names[0] if names else platform.machine()}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--turns', type=int, default=3)
    parser.add_argument('--only', default='', help='tasks whose name contains this')
    parser.add_argument('--vertices', type=int, default=100_000)
    parser.add_argument('--edges', type=int, default=1_000_000)
    settings = parser.parse_args()
    if not (VENV / 'bin' / 'python').exists():
        subprocess.check_call([sys.executable, '-m', 'venv', VENV])
        subprocess.check_call([VENV / 'bin' / 'pip', 'install', '--quiet', *PEERS])
    WORK.mkdir(parents=True, exist_ok=True)
    make = f'import pathlib, graphs; graphs.make(pathlib.Path({str(WORK)!r}), {settings.vertices}, {settings.edges})'
    subprocess.check_call([VENV / 'bin' / 'python', '-c', make], cwd=ROOT / 'benches' / 'peers')
    subprocess.check_call(['cargo', 'build', '--quiet', '--release', '--bin', 'tiebreak', '--example', 'peers_speed'], cwd=ROOT)
    versions = subprocess.check_output([VENV / 'bin' / 'pip', 'freeze'], text=True).split()
    print(f'{settings.vertices} vertices, {settings.edges} edges; {processor()}; load {os.getloadavg()[0]:.1f}; {settings.turns} turns; '
          + ', '.join(version for version in versions if version.split('==')[0] in PEERS) + '\n')
    print('| what | program | wall s | processor s | first peer / this, wall | by processor |\n|---|---|---|---|---|---|')
    for task in TASKS:
        if settings.only in task[0]:
            compare(*task, settings.turns)


main()
