#!/bin/sh
# The program's fits without privacy beside R's quantreg and conquer on five random problems.
# r_peer_test.sh PROGRAM BUILD_DIR; exit code 77 without R or its two packages.
set -eu
program=$1
work=$2/r_peer

command -v Rscript >/dev/null || { echo "no Rscript: skipped"; exit 77; }
Rscript -e 'quit(status = !all(sapply(c("quantreg", "conquer"), requireNamespace, quietly = TRUE)))' >/dev/null 2>&1 ||
  { echo "no quantreg or conquer: skipped"; exit 77; }

rm -rf "$work"
mkdir -p "$work"
cat >"$work/peer.R" <<'R'
suppressMessages({ library(quantreg); library(conquer) })
arguments <- commandArgs(trailingOnly = TRUE)
work <- arguments[2]

# tau and kernel of each problem; the bandwidth is in the target's own units. conquer's kernels are ours by other names.
problems <- data.frame(
  rows = c(200, 500, 801, 300, 1000), features = c(1, 3, 5, 2, 8), tau = c(0.5, 0.7, 0.9, 0.25, 0.6),
  kernel = c("gaussian", "logistic", "uniform", "epanechnikov", "triangular"), bandwidth = c(2, 5, 3, 4, 6),
  theirs = c("Gaussian", "logistic", "uniform", "parabolic", "triangular"))

draw <- function(k) {
  set.seed(100 + k)
  q <- problems[k, ]
  # Features of different place and size, skewed and heteroscedastic demand: what a schema has to put right.
  x <- sapply(seq_len(q$features), function(j) rnorm(q$rows, mean = 5 * j, sd = 2^(j - 3)))
  colnames(x) <- paste0("x", seq_len(q$features))
  noise <- (rexp(q$rows) - 1) * exp(0.2 * scale(x[, 1])[, 1]) * 10
  list(x = x, y = as.numeric(50 + x %*% (3 * cos(seq_len(q$features))) + noise), q = q)
}

# Bounds that no value reaches, so that nothing is clamped.
schema <- function(d) {
  feature <- sprintf('{"name": "%s", "min": -200, "max": 200}', colnames(d$x))
  sprintf('{"target": {"name": "y", "min": -1000, "max": 1000}, "features": [%s]}', paste(feature, collapse = ", "))
}

write_problem <- function(k) {
  d <- draw(k)
  stopifnot(abs(d$x) < 200, abs(d$y) < 1000)
  cells <- cbind(y = sprintf("%.17g", d$y), apply(d$x, 2, function(v) sprintf("%.17g", v)))
  write.csv(cells, file.path(work, paste0(k, ".csv")), row.names = FALSE, quote = FALSE)
  writeLines(schema(d), file.path(work, paste0(k, ".json")))
  cat(k, d$q$tau, d$q$kernel, d$q$bandwidth, "\n")
}

# The "coefficients" map of a policy, without a JSON package: names are plain here and values are numbers.
policy <- function(name, d) {
  text <- paste(readLines(file.path(work, name), warn = FALSE), collapse = " ")
  map <- regmatches(text, regexpr('"coefficients"\\s*:\\s*\\{[^}]*\\}', text))
  pairs <- regmatches(map, gregexpr('"[^"]*"\\s*:\\s*-?[0-9][-+.0-9eE]*', map))[[1]]
  value <- as.numeric(sub('.*:\\s*', "", pairs))
  names(value) <- sub('^"([^"]*)".*', "\\1", pairs)
  unname(value[c("(intercept)", colnames(d$x))])
}

pinball <- function(d, b) { r <- d$y - cbind(1, d$x) %*% b; sum(r * (d$q$tau - (r < 0))) }

# The smoothed loss's gradient at conquer's answer: a peer is only believed where it has itself converged.
gradient <- function(d, b) {
  u <- as.numeric(cbind(1, d$x) %*% b - d$y) / d$q$bandwidth
  v <- pmin(1, pmax(-1, u))
  cdf <- switch(d$q$kernel, gaussian = pnorm(u), logistic = plogis(u), uniform = (1 + v) / 2,
                epanechnikov = 0.5 + 0.75 * (v - v^3 / 3), triangular = 0.5 + v - v * abs(v) / 2)
  g <- colMeans(scale(cbind(1, d$x), center = FALSE) * (cdf - d$q$tau))
  sqrt(sum(g^2))
}

failures <- 0
check <- function(holds, ...) {
  if (!isTRUE(holds)) { failures <<- failures + 1; cat("FAILED: ") }
  cat(..., "\n")
}
apart <- function(ours, theirs) max(abs(ours - theirs) / abs(theirs))

compare <- function(k) {
  d <- draw(k)
  theirs <- as.numeric(rq.fit(cbind(1, d$x), d$y, tau = d$q$tau, method = "br")$coefficients)
  ours <- policy(paste0(k, "-exact.json"), d)
  excess <- pinball(d, ours) / pinball(d, theirs) - 1
  check(apart(ours, theirs) <= 1e-8 && excess <= 1e-10,
        sprintf("%d exact, tau %g: coefficients apart %.1e, excess loss %.1e", k, d$q$tau, apart(ours, theirs), excess))

  fit <- conquer(d$x, d$y, tau = d$q$tau, kernel = d$q$theirs, h = d$q$bandwidth, tol = 1e-11, iteMax = 1e5)
  ours <- policy(paste0(k, "-smooth.json"), d)
  check(gradient(d, fit$coeff) <= 1e-9 && apart(ours, fit$coeff) <= 1e-6,
        sprintf("%d %s, tau %g: coefficients apart %.1e; gradient ours %.1e, conquer's %.1e", k, d$q$kernel, d$q$tau,
                apart(ours, fit$coeff), gradient(d, ours), gradient(d, fit$coeff)))
}

if (arguments[1] == "write") for (k in seq_len(nrow(problems))) write_problem(k)
if (arguments[1] == "compare") for (k in seq_len(nrow(problems))) compare(k)
quit(status = failures > 0)
R

Rscript "$work/peer.R" write "$work" >"$work/problems"
while read -r k tau kernel bandwidth; do
  "$program" fit "$work/$k.csv" --schema "$work/$k.json" --quantile "$tau" --method erm-exact \
    --out "$work/$k-exact.json" </dev/null >/dev/null
  "$program" fit "$work/$k.csv" --schema "$work/$k.json" --quantile "$tau" --method erm \
    --kernel "$kernel" --bandwidth "$bandwidth" --out "$work/$k-smooth.json" </dev/null >/dev/null
done <"$work/problems"
Rscript "$work/peer.R" compare "$work"
