#!/usr/bin/env python3
"""Derives the polynomial coefficients of src/num/vmath_core.h (needs mpmath).

Both polynomials interpolate their function at Chebyshev nodes in 50-digit arithmetic, which is within a small
factor of the best polynomial of that degree. Coefficients are then rounded to doubles, lowest degree first, and
the error of the rounded polynomial is measured on a fine grid. Prints C arrays and those errors.
"""
from mpmath import mp, mpf, cos, erfc, exp, expm1, floor, log, lu_solve, matrix, nstr, pi, sqrt

mp.dps = 50


def interpolate(f, low, high, degree):
    """Monomial coefficients of the polynomial through f at the degree + 1 Chebyshev nodes of [low, high]."""
    middle, half = (high + low) / 2, (high - low) / 2
    nodes = [middle + half * cos(pi * (2 * k + 1) / (2 * degree + 2)) for k in range(degree + 1)]
    powers = matrix(degree + 1, degree + 1)
    for i, x in enumerate(nodes):
        for j in range(degree + 1):
            powers[i, j] = x**j
    return [float(c) for c in lu_solve(powers, matrix([f(x) for x in nodes]))]


def value(coefficients, x):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + mpf(c)
    return total


def show(name, coefficients):
    print(f"{name}[{len(coefficients)}] = {{")
    for c in coefficients:
        print(f"    {c.hex()},")
    print("};")


def exp_remainder():
    """q(r) with e^r = 1 + r + r^2 q(r) for |r| <= ln(2)/2; the margin covers the rounding of k."""
    reach = log(mpf(2)) / 2 * (1 + mpf(2) ** -20)

    def q(r):
        return (expm1(r) - r) / r**2 if abs(r) > 1e-20 else mpf(1) / 2

    coefficients = interpolate(q, -reach, reach, 9)
    worst = max(
        abs(value(coefficients, r) * r**2 - (expm1(r) - r)) / exp(r)
        for r in (reach * (mpf(i) / 500) for i in range(-500, 501))
    )
    show("EXP_Q", coefficients)
    print(f"/* relative error of e^r: {nstr(worst, 3)} */")


def mills():
    """m(t) = (a + 1) e^(a^2/2) Phi(-a) with t = (a - 6)/(a + 6), for 0 <= a <= 39 (Phi(-39) is 0 in doubles).

    The factor a + 1 makes m nearly constant (0.41 to 0.53), so that errors of t hardly matter; the centre 6 needs
    the lowest degree among small integers, which make a + 6 and its rounding error easy to get."""
    centre, end = mpf(6), mpf(39)

    def m(t):
        a = centre * (1 + t) / (1 - t)
        return (a + 1) * exp(a * a / 2) * erfc(a / sqrt(mpf(2))) / 2

    last = (end - centre) / (end + centre)
    coefficients = interpolate(m, mpf(-1), last, 22)
    worst = max(
        abs(value(coefficients, t) / m(t) - 1) for t in (-1 + (last + 1) * i / 2000 for i in range(2001))
    )
    show("MILLS_M", coefficients)
    print(f"/* relative error: {nstr(worst, 3)} */")


def ln2_parts():
    """ln 2 as high + low, high a multiple of 2^-42, so that k * high is exact for |k| < 2^11."""
    ln2 = log(mpf(2))
    high = floor(ln2 * 2**42) / 2**42
    print("LN2_HIGH", float(high).hex(), "LN2_LOW", float(ln2 - high).hex(), "LOG2_E", float(1 / ln2).hex())
    print("INV_SQRT_2PI", float(1 / sqrt(2 * pi)).hex())


exp_remainder()
mills()
ln2_parts()
