#!/bin/sh
# Reads that come in crumbs, disks that are full, pipes that close, Ctrl-C at any moment of a fit with a ledger: the right
# result or a message with the exit code for it; never half a file, and the ledger knows what was spent.
# usage: io_faults_test.sh PROGRAM BUILD_DIR   (run in the project's root)
. tests/lib.sh
wrong() { failed=$((failed + 1)); echo "FAILED: $*"; }

"$tacit" simulate zhao-normal --rows 300 --seed 5 --schema-out s.json >t.csv
fit() { "$tacit" fit "$@" --schema s.json --quantile 0.7 --mu 1; }
expect 0 written fit t.csv --seed 1 --out whole.json

# short reads: one byte at a time, in pieces that cut numbers and line ends, through a named pipe, stopped and continued
dd if=t.csv bs=1 2>/dev/null | fit - --seed 1 --out crumbs.json >/dev/null || wrong "one byte at a time"
same whole.json crumbs.json
dd if=t.csv bs=777 2>/dev/null | fit - --seed 1 --out pieces.json >/dev/null || wrong "777 bytes at a time"
same whole.json pieces.json
mkfifo pipe
{ head -c 5000 t.csv; sleep 0.3; tail -c +5001 t.csv; } >pipe &
fit pipe --seed 1 --out slow.json >/dev/null &
pid=$!
sleep 0.1
kill -STOP $pid && kill -CONT $pid
wait $pid || wrong "a slow pipe"
same whole.json slow.json
# a source that ends in the middle of a record, a closed one, and one that cannot be read
head -c 5003 t.csv >cut.csv
expect 3 'record|fields|columns' fit cut.csv --seed 1 --out no.json
closed_input() { fit - --seed 1 --out no.json <&-; }
expect 5 'reading failed' closed_input
expect 3 'directory' fit . --seed 1 --out no.json
[ -e no.json ] && wrong "a policy from a table that could not be read"

"$tacit" ledger open L.db --label default --mu 10 >/dev/null
# a full disk behind standard output: every command that prints says so
full() { "$@" >/dev/full; }
if [ -c /dev/full ]; then
  expect 5 'could not be written' full "$tacit" order whole.json t.csv
  expect 5 'could not be written' full "$tacit" evaluate whole.json t.csv
  expect 5 'could not be written' full "$tacit" verify whole.json
  expect 5 'could not be written' full "$tacit" verify whole.json --json
  expect 5 'could not be written' full "$tacit" account convert --mu 1 --delta 1e-5
  expect 5 'could not be written' full "$tacit" simulate zhao-normal --rows 5000
  expect 5 'could not be written' full "$tacit" audit --method gaussian --runs 500 --seed 1
  expect 5 'could not be written' full "$tacit" audit --method gaussian --runs 500 --seed 1 --plant no-clipping
  expect 5 'could not be written' full "$tacit" ledger show L.db
  expect 5 'could not be written' full "$tacit" --help
fi
closed_output() { "$@" >&-; }
expect 5 'could not be written' closed_output "$tacit" order whole.json t.csv

# a limit on the size of files: a policy that does not fit is not there at all, and what was spent is said
limited() { sh -c 'ulimit -f 2; shift; exec "$@"' sh x "$@"; }
expect 5 'cannot write.*' limited "$tacit" fit t.csv --schema s.json --quantile 0.7 --mu 1 --no-ledger --out big.json
[ -e big.json ] && wrong "half a policy"
ls big.json* >/dev/null 2>&1 && wrong "a temporary file is left: $(ls big.json*)"
expect 5 'cannot write.*' limited "$tacit" fit t.csv --schema s.json --quantile 0.7 --mu 1 --no-ledger --out whole.json
same whole.json crumbs.json # the old one is still there
limited "$tacit" fit t.csv --schema s.json --quantile 0.7 --mu 1 --ledger L.db --out big.json >out 2>err && wrong "a fit beyond the limit"
[ -e big.json ] && wrong "half a policy"
expect 0 holds "$tacit" ledger show L.db --check

# closed pipes: no message, no success
for command in "simulate zhao-normal --rows 200000" "order whole.json big.csv" "ledger show L.db --json"; do
  [ -e big.csv ] || "$tacit" simulate zhao-normal --rows 60000 --seed 6 >big.csv
  { "$tacit" $command 2>pipe.err; echo $? >pipe.code; } | head -c 10 >/dev/null
  checks=$((checks + 1))
  grep -q 'could not' pipe.err && wrong "tacit $command complains of a reader that has seen enough: $(cat pipe.err)"
  case $(cat pipe.code) in 0 | 5) ;; *) wrong "tacit $command: exit code $(cat pipe.code) after a closed pipe" ;; esac
done
[ "$({ "$tacit" simulate zhao-normal --rows 200000; echo $? >&2; } 2>&1 >/dev/null | cat)" = 0 ] || wrong "simulate without a fault"

# Ctrl-C at 24 moments: exit code 130 and no policy, or 0 and a policy that the ledger knows; and it says what was spent
before=$("$tacit" ledger show L.db --json | sed -n 's/^ *"releases": *\([0-9]*\).*/\1/p' | head -1)
stopped=0 paid=0 done=0 i=0
while [ $i -lt 24 ]; do
  rm -f int.json
  sh -c "trap - INT; exec '$tacit' fit big.csv --schema s.json --quantile 0.5 --method noisy-gd --steps 300 --growth 1 --mu 0.1 --threads 1 --ledger L.db --out int.json" >/dev/null 2>int.err &
  pid=$!
  sleep "0.$(printf '%03d' $((i * 25 + 10)))"
  kill -INT $pid 2>/dev/null
  wait $pid
  code=$?
  now=$("$tacit" ledger show L.db --json --check | sed -n 's/^ *"releases": *\([0-9]*\).*/\1/p' | head -1)
  checks=$((checks + 1))
  case $code in
    0)
      done=$((done + 1))
      [ -e int.json ] || wrong "moment $i: no policy"
      "$tacit" ledger show L.db --check int.json >/dev/null || wrong "moment $i: the policy was not paid for"
      ;;
    130)
      stopped=$((stopped + 1))
      [ -e int.json ] && wrong "moment $i: a policy after Ctrl-C"
      if [ "$now" != "$before" ]; then
        paid=$((paid + 1))
        grep -q 'was spent' int.err || wrong "moment $i: nothing is said of what was spent"
      fi
      ;;
    *) wrong "moment $i: exit code $code: $(cat int.err)" ;;
  esac
  before=$now
  i=$((i + 1))
done
ls int.json.* >/dev/null 2>&1 && wrong "a temporary file is left"
expect 0 holds "$tacit" ledger show L.db --check
echo "Ctrl-C at 24 moments of a fit: $done were done, $stopped stopped, $paid of these after paying, which was said"
finish
