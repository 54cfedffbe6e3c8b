/* What a policy of one's own does to a supply chain under a wholesale contract, from rows whose demand is
 * known. */
#include "base/base.h"
#include "study/impact.h"

tacit_status tacit_impact_of(const tacit_impact_options *prices, const tacit_evaluation *e,
                             tacit_impact_share *share, tacit_error *error) {
  if (!(prices->cost >= 0 && prices->cost <= prices->wholesale && prices->wholesale < prices->retail))
    return tacit_fail(error, TACIT_USAGE, "prices must rise from cost to wholesale to retail");
  const tacit_impact_money money =
      tacit_impact_earned(prices, e->mean_demand, e->mean_order, e->mean_shortage);
  *share = (tacit_impact_share){money.order, e->mean_demand, money.newsvendor, money.supplier, money.cost};
  return TACIT_OK;
}
