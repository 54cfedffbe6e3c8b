/* Renyi differential privacy: the orders at which releases that are not Gaussian are added up. */
#include "privacy/rdp.h"

const double tacit_rdp_orders[TACIT_RDP_ORDERS] = {1.25, 1.5, 1.75, 2,  2.5, 3,  4,  5,  6,   8,
                                                   10,   12,  16,   20, 24,  32, 48, 64, 128, 256};
