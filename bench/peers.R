# What R's packages take for the same fit: peers.R FILE ROWS FEATURES WHAT TURNS, WHAT being conquer, pfn or fnb.
# Prints the best time in seconds, the bandwidth (conquer's) and the coefficients; nothing without the package.
args <- commandArgs(TRUE)
n <- as.numeric(args[2]); p <- as.numeric(args[3]); what <- args[4]
package <- if (what == "conquer") "conquer" else "quantreg"
if (!suppressMessages(requireNamespace(package, quietly = TRUE))) quit(status = 77)
file <- file(args[1], "rb")
X <- matrix(readBin(file, "double", n * p), n, p)
y <- readBin(file, "double", n)
close(file)
best <- Inf
Z <- if (what == "conquer") X else cbind(1, X)
for (turn in seq_len(as.numeric(args[5]))) {
  took <- system.time(fit <- switch(what,
    conquer = conquer::conquer(X, y, tau = 0.7),
    pfn = quantreg::rq.fit.pfn(Z, y, tau = 0.7),
    fnb = quantreg::rq.fit.fnb(Z, y, tau = 0.7)))[3]
  best <- min(best, took)
}
h <- if (what == "conquer") fit$bandwidth else 0
b <- if (what == "conquer") fit$coeff else fit$coefficients
cat(best, h, format(as.vector(b), digits = 12), "\n")
