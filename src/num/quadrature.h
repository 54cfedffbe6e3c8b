/* Adaptive quadrature (Gauss-Kronrod 7-15, halving the worst interval) over finite and infinite intervals. */
#ifndef TACIT_SRC_QUADRATURE_H
#define TACIT_SRC_QUADRATURE_H

/* The integral of f over [a, b], a and b possibly infinite, to about the given absolute error. f gets `with`;
   error_out (may be NULL) receives the error estimate. */
double tacit_integrate(double (*f)(double x, const void *with), const void *with, double a, double b,
                       double tolerance, double *error_out);

#endif
