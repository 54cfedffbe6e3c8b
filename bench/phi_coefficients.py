#!/usr/bin/env python3
"""The odd polynomial behind tacit_block_phi (src/pass/score_block.c): Phi(x) - 1/2 on [-4.25, 4.25], least largest
error by Lawson's reweighting, and what single precision makes of it. Needs numpy and scipy."""
import numpy as np
from scipy.special import ndtr

REACH, TERMS = 4.25, 10

points = np.sort(np.cos((2 * np.arange(4000) + 1) * np.pi / 16000))  # dense near 1, in (0, 1)
target = ndtr(REACH * points) - 0.5
basis = np.polynomial.chebyshev.chebvander(points, 2 * TERMS - 1)[:, 1::2]
weight = np.ones_like(points)
for _ in range(2000):
    root = np.sqrt(weight)
    solution = np.linalg.lstsq(basis * root[:, None], target * root, rcond=None)[0]
    error = np.abs(basis @ solution - target)
    weight *= error + 1e-12
    weight /= weight.sum()
full = np.zeros(2 * TERMS)
full[1::2] = solution
powers = np.polynomial.chebyshev.cheb2poly(full)[1::2]
coefficients = [np.float32(c / REACH ** (2 * j + 1)) for j, c in enumerate(powers)]
for j, c in enumerate(coefficients):
    print(f"x^{2 * j + 1:<3d} {float(c).hex()}")

u = np.linspace(-7, 7, 400001).astype(np.float32)
x = np.clip(u, np.float32(-REACH), np.float32(REACH))
s, q = x * x, np.full_like(x, coefficients[-1])
for c in coefficients[-2::-1]:
    q = q * s + c
phi = np.float32(0.5) + x * q
print(f"largest error {np.abs(phi - ndtr(u.astype(float))).max():.3g}, 2^-16 = {2**-16:.3g}; "
      f"range [{phi.min():.3g}, {phi.max():.7g}]")
