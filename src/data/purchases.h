/* What one customer bought, row by row, in lists that grow up to a limit. The lists of many customers lie
   together: what one leaves behind when it grows is the next one's. */
#ifndef TACIT_SRC_PURCHASES_H
#define TACIT_SRC_PURCHASES_H

#include <stddef.h>
#include <stdint.h>
#include <tacit/base.h>

typedef struct tacit_purchase {
  uint64_t order; /* by which a busy customer's rows are kept */
  size_t row;
  double quantity;
} tacit_purchase;

typedef struct tacit_purchase_list {
  tacit_purchase *held; /* the owner's to order */
  uint32_t count, room;
} tacit_purchase_list;

typedef struct tacit_purchases tacit_purchases;

/* limit: of a list, at least 1 and below 2^31. */
tacit_status tacit_purchases_new(size_t limit, tacit_purchases **purchases, tacit_error *error) TACIT_CHECKED;
void tacit_purchases_free(tacit_purchases *purchases); /* with all lists */
/* Room for one more in a list that is below the limit. */
tacit_status tacit_purchases_make_room(tacit_purchases *purchases, tacit_purchase_list *list,
                                       tacit_error *error) TACIT_CHECKED;

#endif
