/* Gaussian differential privacy: ranges shared with the callers; the functions are public (tacit/privacy.h).
 */
#ifndef TACIT_SRC_GDP_H
#define TACIT_SRC_GDP_H

#include "base/base.h"

#include <tacit/privacy.h>

#define TACIT_MU_MAX 1e4      /* beyond any meaning: mu = 6 already promises next to nothing */
#define TACIT_EPSILON_MAX 1e9 /* likewise */

/* delta(epsilon) of mu-GDP, epsilon of any sign, within a relative 2^-60 before the final roundings to
 * double.
 */
void tacit_gdp_enclose(double mu, double epsilon, tacit_interval *delta);

#endif
