"""The dm-clrs side of the bench: a process that answers one JSON line with another. Needs dm-clrs and safetensors.

    {"do": "prepare", "algorithm": "bellman_ford", "sizes": [4, 7], "batch": 32, "mode": "train", "file": "…", "full": false}
        draws graphs with dm-clrs' own generator, writes them to `file` for the other program, compiles. Answers with seconds to compile.
        With `full`, every graph gets as many rounds as it has vertices, in both programs, whatever its run took.
    {"do": "run", "repetitions": 5}
        answers with wall and processor seconds of each repetition: one training step (forward, backward, clipping, Adam) or one
        prediction for every size. Drawing graphs is not timed.
    {"do": "memory"}
        answers with the peak resident megabytes of this process.
"""
import json
import os
import resource
import sys
import time

os.environ.setdefault('JAX_PLATFORMS', 'cpu')
os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
import absl.logging
absl.logging.set_verbosity('error')
import clrs
import jax
import numpy as np
from safetensors.numpy import save_file

TRAINING_DENSITIES = tuple(0.1 + 0.1 * i for i in range(9))  # as in dm-clrs' own training script


def draw(algorithm, size, batch, rng):
    """One batch as dm-clrs trains on it: every run padded to the longest of 1000, random positions."""
    sampler, spec = clrs.build_sampler(algorithm, seed=rng.randint(2**31), num_samples=-1, length=size,
                                       track_max_steps=size <= 16, p=TRAINING_DENSITIES)
    batches = clrs.process_random_pos(iter(lambda: sampler.next(batch), None), rng)
    spec, batches = clrs.process_permutations(spec, batches, True)
    return spec, next(batches)


def with_rounds(batch, rounds):
    """The same graphs with this many rounds each. Hints are neither read nor predicted here, so only their number of steps counts."""
    stretched = lambda hint: clrs.DataPoint(hint.name, hint.location, hint.type_, np.repeat(hint.data[:1], rounds + 1, axis=0))
    hints = tuple(map(stretched, batch.features.hints))
    lengths = np.full_like(batch.features.lengths, rounds + 1)
    return batch._replace(features=batch.features._replace(hints=hints, lengths=lengths))


def export(batches, path):
    """The same graphs for the other program: `<size>/<input>`, `<size>/lengths`, `<size>/output/<output>`."""
    tensors = {}
    for size, batch in batches.items():
        for point in batch.features.inputs:
            tensors[f'{size}/{point.name}'] = np.asarray(point.data, np.float32)
        tensors[f'{size}/lengths'] = np.asarray(batch.features.lengths, np.float32)
        for point in batch.outputs:
            tensors[f'{size}/output/{point.name}'] = np.asarray(point.data, np.float32)
    save_file({name: np.ascontiguousarray(value) for name, value in tensors.items()}, path)


class Run:
    def __init__(self, request):
        rng = np.random.RandomState(request.get('seed', 42))
        drawn = {size: draw(request['algorithm'], size, request['batch'], rng) for size in request['sizes']}
        self.batches = {size: with_rounds(batch, size) if request['full'] else batch for size, (_, batch) in drawn.items()}
        spec = drawn[request['sizes'][-1]][0]
        export(self.batches, request['file'])
        self.train = request['mode'] == 'train'
        factory = clrs.get_processor_factory('triplet_gmpnn', use_ln=True, nb_triplet_fts=8, nb_heads=1)
        self.model = clrs.models.BaselineModel(
            spec=[spec], dummy_trajectory=[self.batches[request['sizes'][-1]]], processor_factory=factory, hidden_dim=128,
            encode_hints=False, decode_hints=False, encoder_init='xavier_on_scalars', use_lstm=False, learning_rate=1e-3,
            grad_clip_max_norm=1.0, checkpoint_path=None, freeze_processor=False, dropout_prob=0.0,
            hint_teacher_forcing=0.0, hint_repred_mode='soft', nb_msg_passing_steps=1)
        self.model.init([self.batches[request['sizes'][0]].features], 1)
        self.key = jax.random.PRNGKey(0)
        start = time.perf_counter()
        self.once()
        self.compiling = time.perf_counter() - start

    def once(self):
        for batch in self.batches.values():
            if self.train:
                jax.block_until_ready(self.model.feedback(self.key, batch, 0))
            else:
                jax.block_until_ready(self.model.predict(self.key, batch.features, algorithm_index=0)[0]['pi'].data)

    def time(self):
        wall, cpu = time.perf_counter(), time.process_time()
        self.once()
        return [time.perf_counter() - wall, time.process_time() - cpu]


def steps(batches):
    """Padded and needed steps, on average."""
    padded = [max(1, b.features.hints[0].data.shape[0] - 1) for b in batches.values()]
    needed = [np.maximum(1, b.features.lengths - 1).mean() for b in batches.values()]
    return float(np.mean(padded)), float(np.mean(needed))


def main():
    run = None
    for line in sys.stdin:
        request = json.loads(line)
        if request['do'] == 'prepare':
            run = Run(request)
            padded, needed = steps(run.batches)
            answer = {'compiling': run.compiling, 'padded_steps': padded, 'needed_steps': needed}
        elif request['do'] == 'run':
            answer = {'times': [run.time() for _ in range(request['repetitions'])]}
        else:
            answer = {'megabytes': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
        print(json.dumps(answer), flush=True)


if __name__ == '__main__':
    main()
