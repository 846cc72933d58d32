"""Graph files for the benchmark: 100,000 vertices, 1,000,000 edges, seeded."""
import numpy as np

SYLLABLES = [first + second for first in 'bdfgklmnprst' for second in 'aeiou']


def word(number):
    letters = ''
    for _ in range(4):
        number, place = divmod(number, len(SYLLABLES))
        letters += SYLLABLES[place]
    return letters.capitalize()


def distinct_pairs(rng, tails, heads, edges, symmetric):
    one, other = rng.integers(0, tails, edges + edges // 20), rng.integers(0, heads, edges + edges // 20)
    if symmetric:
        one, other = one[one != other], other[one != other]
    key = np.minimum(one, other) * heads + np.maximum(one, other) if symmetric else one * heads + other
    first = np.sort(np.unique(key, return_index=True)[1])[:edges]
    assert len(first) == edges, 'more edges than pairs'
    return one[first], other[first]


def write(path, header, *columns):
    with open(path, 'w') as file:
        file.write(header + '\n')
        file.writelines(','.join(map(str, row)) + '\n' for row in zip(*(column.tolist() for column in columns)))


def make(folder, vertices, edges):
    rng = np.random.default_rng(1)
    one, other = distinct_pairs(rng, vertices, vertices, edges, True)
    weights = rng.integers(1, 1000, edges)
    write(folder / 'numbers.csv', 'source,target,weight', one, other, weights)
    words = np.array([word(number) for number in rng.permutation(len(SYLLABLES) ** 4)[:vertices].tolist()])
    write(folder / 'words.csv', 'source,target,weight', words[one], words[other], weights)
    label = rng.permutation(vertices)
    write(folder / 'acyclic.csv', 'source,target', label[np.minimum(one, other)], label[np.maximum(one, other)])
    half = vertices // 2
    left, right = distinct_pairs(rng, half, half, edges, False)
    write(folder / 'bipartite.csv', 'source,target', left, right + half)
