# Days that sold out, without privacy: what R's quantreg loses that knows every day's stock, on the demand of
# `tacit reproduce sold-out` (docs/sales.md). Rscript sold_out.R SEED REPETITIONS [powell]
# Percent by which linear orders cost more than the best ones: by exact regression on demand itself, and by Powell's,
# Portnoy's and Peng and Huang's censored quantiles on sales.
suppressMessages({library(survival); library(quantreg)})
words <- commandArgs(TRUE)
set.seed(as.integer(words[1]))
repetitions <- as.integer(words[2])
slow <- length(words) > 2 # Powell's takes a second or more

# Costs are exact in the errors: E (20 e - t)+
beyond <- function(t, skewed) {
  u <- t / 20
  if (skewed) 20 * ifelse(u > -1, exp(-1 - u), -u) else 20 * (dnorm(u) - u * pnorm(-u))
}
cost <- function(a, tau, skewed) tau * beyond(a, skewed) + (1 - tau) * (a + beyond(a, skewed))
exceeds <- function(a, skewed) if (skewed) ifelse(a > -20, exp(-1 - a / 20), 1) else pnorm(-a / 20)
grid <- matrix(rnorm(3000), 1000)

excess <- function(b, tau, skewed) {
  best <- if (skewed) 20 * (-log(1 - tau) - 1) else 20 * qnorm(tau)
  order <- b[1] + grid %*% b[-1] - (100 + 10 * grid[, 1] - 5 * grid[, 2])
  100 * (mean(cost(order, tau, skewed)) / cost(best, tau, skewed) - 1)
}
coefficients_at <- function(fit, tau) { # of a process in tau: the last one before it ends, or nothing
  at <- fit$sol[1, ]
  k <- max(which(at <= tau))
  fit$sol[2:5, k]
}
one <- function(n, tau, stray, skewed, above) {
  z <- matrix(rnorm(3 * n), n)
  middle <- 100 + 10 * z[, 1] - 5 * z[, 2]
  demand <- middle + 20 * (if (skewed) rexp(n) - 1 else rnorm(n))
  stock <- middle + above + stray * rnorm(n)
  sales <- pmin(demand, stock)
  seen <- as.integer(demand < stock)
  tried <- function(f) tryCatch(excess(f(), tau, skewed), error = function(e) NA)
  c(known = tried(function() coef(rq(demand ~ z, tau = tau))),
    powell = if (slow) tried(function() coef(crq(Curv(sales, stock, ctype = "right") ~ z, taus = tau, method = "Powell"))) else NA,
    portnoy = tried(function() coefficients_at(crq(Surv(sales, seen) ~ z, method = "Portnoy"), tau)),
    peng_huang = tried(function() coefficients_at(crq(Surv(sales, seen) ~ z, method = "PengHuang"), tau)))
}
cat("errors tau stray n known powell portnoy peng_huang powell_ratio portnoy_ratio peng_huang_ratio failed\n")
for (skewed in c(TRUE, FALSE)) for (n in c(1000, 3000)) {
  tau <- 0.9
  stray <- 20
  above <- uniroot(function(a) mean(exceeds(a + stray * qnorm((1:2000 - 0.5) / 2000), skewed)) - 0.15, c(-100, 200))$root
  all <- suppressWarnings(replicate(repetitions, one(n, tau, stray, skewed, above)))
  m <- rowMeans(all, na.rm = TRUE)
  cat(if (skewed) "skewed" else "normal", tau, stray, n, signif(m, 3), signif(m[-1] / m[1], 3), sum(is.na(all[-2, ])), "\n")
}
