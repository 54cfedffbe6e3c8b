/* Renyi differential privacy; the orders are public (tacit/privacy.h). */
#ifndef TACIT_SRC_RDP_H
#define TACIT_SRC_RDP_H

#include "base/base.h"

#include <tacit/privacy.h>

#endif
