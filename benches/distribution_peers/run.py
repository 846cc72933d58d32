"""The marginals of 20 runs: tiebreak beside a vectorised numpy version (shortest paths) and a plain Python one (depth-first search).

    python3 benches/distribution_peers/run.py [turns]

Needs numpy. Both programs work on one thread, in turns; the ratio of the best turn of each is printed, by processor time, so that a busy
machine matters less. Drawing the graphs is counted for neither. The peers do what a careful person
would write: numpy computes distances once a graph (Bellman-Ford over the whole matrix, until nothing changes), the tight fewest-hop parents once,
and for each run one random order and one argmin; plain Python keeps adjacency lists, shuffles one order for a run, sorts each list by it once,
and searches with an explicit stack.
"""
import json, os, random, subprocess, sys, time

for name in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS'):
    os.environ[name] = '1'
import numpy as np


def weighted_graph(n, p, rng):
    upper = np.triu(rng.random((n, n)) < p, 1)
    weights = np.where(upper, rng.integers(1, 4, (n, n)), 0)
    weights = (weights + weights.T).astype(float)
    return np.where(weights > 0, weights, np.inf), int(rng.integers(n))


def numpy_shortest_paths(weights, source, rng, runs=20):
    n = len(weights)
    length = np.full(n, np.inf)
    length[source] = 0
    hops = np.full(n, n)
    hops[source] = 0
    rounds = 0
    while True:
        rounds += 1
        through = (length[:, None] + weights).min(axis=0)
        closer = through < length
        if not closer.any():
            break
        length[closer] = through[closer]
        hops[closer] = rounds
    tight = (length[:, None] + weights == length[None, :]) & (hops[:, None] + 1 == hops[None, :])
    marginals = np.zeros((n, n))
    rows = np.arange(n)
    reached = tight.any(axis=0)
    for _ in range(runs):
        rank = rng.permutation(n)
        parent = np.where(tight, rank[:, None], n).argmin(axis=0)
        marginals[rows, np.where(reached, parent, rows)] += 1
    return marginals / runs


def plain_depth_first_search(neighbours, runs=20):
    n = len(neighbours)
    counts = [[0] * n for _ in range(n)]
    rank = list(range(n))
    for _ in range(runs):
        random.shuffle(rank)
        key = rank.__getitem__
        order = [sorted(heads, key=key) for heads in neighbours]
        visited = [False] * n
        parent = list(range(n))
        for root in range(n):
            if visited[root]:
                continue
            visited[root] = True
            stack = [(root, iter(order[root]))]
            while stack:
                vertex, heads = stack[-1]
                for head in heads:
                    if not visited[head]:
                        visited[head] = True
                        parent[head] = vertex
                        stack.append((head, iter(order[head])))
                        break
                else:
                    stack.pop()
        for vertex, above in enumerate(parent):
            counts[vertex][above] += 1
    return [[count / runs for count in row] for row in counts]


def peer(algorithm, n, graphs):
    rng = np.random.default_rng(0)
    random.seed(0)
    if algorithm == 'dfs':
        made = [[[v for v in range(n) if v != u and random.random() < .5] for u in range(n)] for _ in range(graphs)]
        started = time.process_time()
        for neighbours in made:
            plain_depth_first_search(neighbours)
    else:
        made = [weighted_graph(n, .5, rng) for _ in range(graphs)]
        started = time.process_time()
        for weights, source in made:
            numpy_shortest_paths(weights, source, rng)
    return (time.process_time() - started) * 1e3 / graphs


def ours(algorithm, n, graphs):
    program = os.path.join('target', 'release', 'examples', 'distribution_speed')
    return json.loads(subprocess.check_output([program, algorithm, str(n), str(graphs)]))['milliseconds']


turns = int(sys.argv[1]) if len(sys.argv) > 1 else 5
subprocess.check_call(['cargo', 'build', '--quiet', '--release', '--example', 'distribution_speed'])
print('| 20 runs | n | peer | peer, ms a graph | tiebreak, ms a graph | ratio |\n|---|---|---|---|---|---|')
for algorithm, name in ('bellman-ford', 'numpy'), ('dfs', 'plain Python'):
    for n in 16, 64:
        times = [(peer(algorithm, n, 200), ours(algorithm, n, 2000)) for _ in range(turns)]
        theirs, our = (min(column) for column in zip(*times))
        print(f'| {algorithm} | {n} | {name} | {theirs:.3f} | {our:.4f} | {theirs / our:.0f} |', flush=True)
