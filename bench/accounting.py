#!/usr/bin/env python3
"""25 million sampled steps here beside ten thousand in Google's dp-accounting, in one run on one machine.

usage: accounting.py PROGRAM      needs dp_accounting (pip install dp-accounting)
"""
import json
import os
import resource
import subprocess
import sys
import time

from dp_accounting.pld import privacy_loss_distribution as pld

PROGRAM = sys.argv[1]
SIGMA, ROWS, STEPS = 6.07, 5000, 25_000_000


def ours(sampling, adjacency, *asked):
    command = [PROGRAM, "account", "sgd", "--sigma", str(SIGMA), "--rows", str(ROWS), "--batch", "1", "--steps",
               str(STEPS), "--sampling", sampling, "--adjacency", adjacency, "--json", *asked]
    start, used = time.perf_counter(), os.times().children_user
    out = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return out, time.perf_counter() - start, os.times().children_user - used


def theirs(width, steps=10_000):
    start, used = time.perf_counter(), os.times().user
    one = pld.from_gaussian_mechanism(SIGMA, sampling_prob=1 / ROWS, value_discretization_interval=width)
    epsilon = one.self_compose(steps).get_epsilon_for_delta(1e-6)
    return epsilon, time.perf_counter() - start, os.times().user - used


print("ours, 25 million steps: wall and processor seconds of the whole program")
for sampling, adjacency in (("fixed", "replace-one"), ("poisson", "replace-one"), ("poisson", "add-remove")):
    for delta in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8):
        epsilon = ours(sampling, adjacency, "--delta", str(delta))[0]["epsilon_upper"]
        out, wall, user = ours(sampling, adjacency, "--epsilon", str(epsilon))
        print(f"  {sampling:8} {adjacency:12} epsilon {epsilon:.5f}  delta {out['delta_upper']:.4e}  "
              f"upper/lower - 1 = {out['delta_upper'] / out['delta_lower'] - 1:.2e}  {wall:.3f} s  {user:.3f} s")
print(f"  largest memory of a run: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")
print("dp-accounting, ten thousand steps (Poisson, add-remove): epsilon at 1e-6, wall and processor seconds")
exact = json.loads(subprocess.run(
    [PROGRAM, "account", "sgd", "--sigma", str(SIGMA), "--rate", str(1 / ROWS), "--steps", "10000", "--sampling",
     "poisson", "--adjacency", "add-remove", "--delta", "1e-6", "--json"],
    check=True, capture_output=True, text=True).stdout)
print(f"  here: epsilon in [{exact['epsilon_lower']:.6g}, {exact['epsilon_upper']:.6g}]")
for width in (1e-4, 1e-5, 1e-6, 1e-7):
    epsilon, wall, user = theirs(width)
    print(f"  grid {width:g}: epsilon {epsilon:.6g}  {wall:.3f} s  {user:.3f} s")
