#!/usr/bin/env python3
"""Turns a model saved by dm-clrs (`best.pkl`) into safetensors that tiebreak reads.

    python export_clrs.py best.pkl best.safetensors

Runs in the Python that trained the model: a pickle names the classes it was made of (jax and optax), so these must be
there, besides numpy and safetensors. Only unpickle files you trust. Every parameter keeps haiku's name,
`<module>/<parameter>`; the optimiser's state stays behind.
"""
import argparse
import pickle

import numpy as np
from safetensors.numpy import save_file


def parameters(saved):
    """{`<module>/<parameter>`: array} of a pickled model, with or without the optimiser around it."""
    modules = saved.get('params', saved)
    return {f'{module}/{name}': np.ascontiguousarray(value, dtype=np.float32)
            for module, values in modules.items() for name, value in values.items()}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('pickle', help='model saved by dm-clrs')
    arguments.add_argument('safetensors', help='file to write')
    chosen = arguments.parse_args()
    with open(chosen.pickle, 'rb') as file:
        tensors = parameters(pickle.load(file))
    save_file(tensors, chosen.safetensors, metadata={'source': 'dm-clrs'})
    print(f'{len(tensors)} tensors, {sum(t.size for t in tensors.values())} numbers -> {chosen.safetensors}')


if __name__ == '__main__':
    main()
