#!/bin/sh
# Two and three ranks give the policy of one process, byte for byte; what one rank cannot do ends the run.
# usage: mpirun_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

command -v mpirun >/dev/null || { echo "skipped: there is no mpirun (scripts/install-deps mpi)"; exit 77; }
[ -f "$(dirname "$tacit")/tacit-mpi.so" ] || { echo "skipped: built without MPI (scripts/install-deps mpi)"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
  OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm_rsh_agent=false \
  OMP_WAIT_POLICY=passive OMPI_MCA_mpi_yield_when_idle=1
mpirun -n 2 true >out 2>&1 || { echo "skipped: mpirun cannot start two processes here"; head -3 out; exit 77; }
wrong() { failed=$((failed + 1)); echo "FAILED: $*"; }
options="--schema s.json --quantile 0.7 --mu 1"

"$tacit" simulate restaurant --rows 5000 --schema-out s.json >t.csv
"$tacit" pack t.csv --schema s.json --out t.tacit >out
sed -n '1p;2,1801p' t.csv >part0.csv
sed -n '1p;1802,$p' t.csv >part1.csv
"$tacit" fit t.csv $options --seed 4 --out one.json >one.out
expect 0 'read 5000 records' mpirun -n 2 "$tacit" fit t.tacit $options --seed 4 --out two.json
same one.json two.json
sed 's/two.json/one.json/' out >two.out
same one.out two.out
expect 0 'read 5000 records' mpirun -n 3 "$tacit" fit t.tacit $options --seed 4 --out three.json
same one.json three.json
expect 0 'read 5000 records' mpirun -n 2 "$tacit" fit part%r.csv $options --seed 4 --out parts.json
same one.json parts.json

# One rank spends, once.
"$tacit" ledger open l.db --label default --mu 5 >out
expect 0 'spent so far: mu = 1 in 1 release' mpirun -n 2 "$tacit" fit part%r.csv $options --ledger l.db --out p.json
expect 0 'holds|GDP' "$tacit" verify p.json

# A table that every rank would read as a whole; a rank without a file; a bad row on one of them: nothing is spent.
expect 2 'only a packed table' mpirun -n 2 "$tacit" fit t.csv $options --ledger l.db --out no.json
mv part1.csv away.csv
expect 3 'rank 1: no such file: part1.csv' mpirun -n 2 "$tacit" fit part%r.csv $options --ledger l.db --out no.json
{ cat away.csv; echo '2030-01-01,MON,0,1,1,many'; } >part1.csv
expect 3 'rank 1: record 3201, column "demand": not a number' mpirun -n 2 "$tacit" fit part%r.csv $options --ledger l.db --out no.json
expect 2 'only fit runs under mpirun' mpirun -n 2 "$tacit" verify p.json
# A rank that dies while the others wait for it.
rm part1.csv && mkfifo part1.csv
fit="$tacit fit part%r.csv $options --ledger l.db --out no.json"
timeout 60 mpirun -n 1 $fit : -n 1 timeout -s KILL 1 $fit >out 2>&1 </dev/null
code=$?
checks=$((checks + 1))
[ $code != 0 ] && [ $code != 124 ] || wrong "a rank's death did not end the run ($code)"
expect 0 '^default .* 1$' "$tacit" ledger show l.db
[ ! -e no.json ] || wrong "a run that failed left a policy"
finish
