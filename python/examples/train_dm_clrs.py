"""Trains dm-clrs' own network on our stream of many answers for 100 steps, and scores it with our verifiers.

    pip install dm-clrs tiebreak
    python train_dm_clrs.py [ALGORITHM] [STEPS]
"""

from __future__ import annotations

import sys

import clrs
import jax
import numpy as np

import tiebreak
import tiebreak.clrs


def main(algorithm: str = "dfs", steps: int = 100) -> None:
    """Trains, and prints losses and scores."""
    stream = tiebreak.Stream(algorithm, sizes=[8], batch=16, seed=0)
    first = tiebreak.clrs.feedback(stream[0])
    _, spec = clrs.build_sampler(tiebreak.clrs.clrs_name(algorithm), num_samples=1, length=8, seed=0)
    model = clrs.models.BaselineModel(
        spec=[spec],
        dummy_trajectory=[first],
        processor_factory=clrs.get_processor_factory("mpnn", use_ln=True, nb_triplet_fts=0, nb_heads=1),
        hidden_dim=32,
        encode_hints=False,
        decode_hints=False,
        encoder_init="xavier_on_scalars",
        learning_rate=3e-3,
        grad_clip_max_norm=1.0,
        checkpoint_path=None,
        dropout_prob=0.0,
        hint_teacher_forcing=0.0,
    )
    model.init([first.features], 1)
    keys = jax.random.split(jax.random.PRNGKey(0), steps)
    test = tiebreak.generate(algorithm, 8, 64, seed=1)

    def score() -> tiebreak.Score:
        features = tiebreak.clrs.feedback(test).features
        outputs, _ = model.net_fn.apply(
            model.params, keys[0], [features],
            repred=True, algorithm_index=0, return_hints=False, return_all_outputs=False,
        )  # fmt: skip
        # The first that knows the algorithm, and none that repairs whatever it is given.
        extractor = tiebreak.EXTRACTORS[test.algorithm][2]
        return tiebreak.score(test, logits=np.asarray(outputs["pi"]), extractor=extractor, draws=5)

    print("before:", score())
    for step, (key, batch) in enumerate(zip(keys, stream)):
        loss = model.feedback(key, tiebreak.clrs.feedback(batch))
        if step % 20 == 0 or step == steps - 1:
            print(f"step {step}: loss {float(loss):.4f}")
    print("after:", score())


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))
