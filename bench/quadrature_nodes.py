#!/usr/bin/env python3
"""Derives the Gauss-Kronrod 7-15 rule of src/num/quadrature.c (needs mpmath).

The seven Gauss nodes are the zeros of the Legendre polynomial P7. Kronrod's eight further nodes are the zeros of the
monic E8 with integral of P7 E8 x^k = 0 for k = 0..7; P7 is odd and E8 even, so only odd k say something. Weights make
the rule exact for the monomials. Prints node, Kronrod weight and, where there is one, Gauss weight, for nodes >= 0.
"""
from mpmath import legendre, lu_solve, matrix, mp, mpf, nstr, polyroots, re, taylor

mp.dps = 60
P7 = taylor(lambda x: legendre(7, x), 0, 7)  # lowest power first


def moment(n):
    """The integral of P7(x) x^n over [-1, 1]."""
    return sum(c * mpf(2) / (j + n + 1) for j, c in enumerate(P7) if (j + n) % 2 == 0)


def roots(coefficients):
    return [re(z) for z in polyroots(coefficients, maxsteps=500, extraprec=300)]


def weights(nodes):
    size = len(nodes)
    powers = matrix(size, size)
    integrals = matrix(size, 1)
    for k in range(size):
        for j, x in enumerate(nodes):
            powers[k, j] = x**k
        integrals[k] = mpf(2) / (k + 1) if k % 2 == 0 else mpf(0)
    return list(lu_solve(powers, integrals))


conditions = matrix(4, 4)
right = matrix(4, 1)
for row, k in enumerate((1, 3, 5, 7)):
    for column, power in enumerate((0, 2, 4, 6)):
        conditions[row, column] = moment(power + k)
    right[row] = -moment(8 + k)
e0, e2, e4, e6 = lu_solve(conditions, right)

gauss = sorted(roots(P7[::-1]))
kronrod = sorted(gauss + roots([1, 0, e6, 0, e4, 0, e2, 0, e0]))
gauss_weight = dict(zip((nstr(x, 30) for x in gauss), weights(gauss)))
for x, w in zip(kronrod, weights(kronrod)):
    if x > -mpf(10) ** -30:
        print(nstr(x, 20), nstr(w, 20), nstr(gauss_weight.get(nstr(x, 30), mpf(0)), 20))
