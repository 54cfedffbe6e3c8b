/* Renyi differential privacy; the orders and conversions are public (tacit/privacy.h). */
#ifndef TACIT_SRC_RDP_H
#define TACIT_SRC_RDP_H

#include "base/base.h"

#include <tacit/privacy.h>

/* The epsilon that one order gives, rounded up; order > 1, rdp >= 0, delta in (0, 1). */
double tacit_rdp_epsilon_at(double order, double rdp, double delta);

#endif
