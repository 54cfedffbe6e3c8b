#!/bin/sh
# `split` gives each record to one of two files as it stands; `order --integer` rounds as the costs ask for.
# usage: split_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

awk 'BEGIN { srand(4); print "date,who,x,y"; for (i = 0; i < 4000; i++) printf "20%02d-%02d-%02d,\"u,%d\",%.4f,%.2f\n", 16 + i / 1000, 1 + i / 84 % 12, 1 + i % 28, i % 500, rand(), 50 * rand() }' >t.csv
sed 1d t.csv >rows
is() { checks=$((checks + 1)); [ "$2" = "$3" ] || { failed=$((failed + 1)); echo "FAILED: $1 is $2, not $3"; }; }
both() { # the two parts are the table's records, each once, in their order, each with the header
  checks=$((checks + 1))
  { sed 1d a.csv; sed 1d b.csv; } | sort >parts
  sort rows | cmp -s - parts && [ "$(head -1 a.csv)" = "$(head -1 t.csv)" ] && [ "$(head -1 b.csv)" = "$(head -1 t.csv)" ] ||
    { failed=$((failed + 1)); echo "FAILED: the parts are not the table"; }
}
split() { "$tacit" split t.csv --first a.csv --second b.csv "$@"; }

# by date: before, and from then on; a time of day and a number are as good
expect 0 'written: a.csv, 2000 rows; b.csv, 2000 rows' split --by date --at 2018-01-01
expect 0 'add-remove' split --by date --at 2018-01-01
both
grep '^201[67]\|^date' t.csv >before
same a.csv before
grep '^201[89]\|^date' t.csv >after
same b.csv after
expect 0 'written' split --by date --at '2018-01-01 00:00:00'
same a.csv before
expect 0 'written' split --by y --at 25
both
is "rows from 25 on" "$(sed 1d b.csv | awk -F, '$NF < 25' | wc -l)" 0
is "rows before 25" "$(sed 1d a.csv | awk -F, '$NF >= 25' | wc -l)" 0
# by lot: the same seed gives the same files, another one others; about the share
expect 0 written split --share 0.75 --seed 1
both
cp a.csv first
n=$(sed 1d a.csv | wc -l)
is "about three of four" "$([ "$n" -gt 2860 ] && [ "$n" -lt 3140 ] && echo yes)" yes
expect 0 written split --share 0.75 --seed 1
same a.csv first
expect 0 written split --share 0.75 --seed 2
is "another seed's rows are others" "$(cmp -s a.csv first && echo no || echo yes)" yes
# units stay whole
expect 0 'add-remove' split --share 0.75 --unit who
both
sed 1d a.csv | cut -d'"' -f2 | sort -u >in_a
sed 1d b.csv | cut -d'"' -f2 | sort -u >in_b
is "units in both parts" "$(comm -12 in_a in_b | wc -l)" 0
is "units in one part" "$(cat in_a in_b | wc -l)" 500
# whether one record is another does not move the others
sed '100s/.*/2016-02-03,"u,7",9,9/' t.csv >other.csv
for how in '--share 0.5' '--by date --at 2018-01-01'; do
  "$tacit" split t.csv --first a.csv --second b.csv $how >/dev/null
  "$tacit" split other.csv --first c.csv --second d.csv $how >/dev/null
  is "records that moved with another ($how)" "$(cat a.csv c.csv | sort | uniq -u | wc -l)" "$(cmp -s a.csv c.csv && echo 0 || echo 2)"
done
# packed and in another form: records stand as they stood
sed 's/,\(0\.[0-9]*\),/;\1;/; s/^\([^,]*\),/\1;/; s/^date;who,x,y/date;who;x;y/' t.csv >semi.csv
gzip -c semi.csv >semi.csv.gz
expect 0 '2000 rows' "$tacit" split semi.csv.gz --first a.csv --second b.csv --by date --at 2018-01-01 --separator ';'
expect 2 'plain CSV' "$tacit" split semi.csv.gz --first a.csv.gz --second b.csv --share 0.5 --separator ';'
expect 3 'separated by semicolons' "$tacit" split semi.csv --first a.csv --second b.csv --share 0.5
grep '^201[67]\|^date' semi.csv >before
same a.csv before
expect 0 'b.csv has no rows; cut elsewhere' split --by date --at 2030-01-01
expect 0 'a.csv has no rows; cut elsewhere' split --by date --at 2000-01-01
expect 0 '"first_rows": 2000' split --by date --at 2018-01-01 --json

# refusals: nothing is written
rm -f a.csv b.csv
expect 2 'or the share' split
expect 2 'or the share' split --by date
expect 2 'or the share' split --by date --at 2018-01-01 --share 0.5
expect 2 'below 1' split --share 1
expect 2 'keep units whole' split --by date --at 2018-01-01 --unit who
expect 2 'a number, as the table writes numbers, or a date' split --by date --at yesterday
expect 3 'no column' split --by day --at 2018-01-01
expect 3 'record 1, column "date": not a number' split --by date --at 5
expect 3 'record 1, column "y": not a date' split --by y --at 2018-01-01
expect 2 'needed' "$tacit" split t.csv --share 0.5
expect 2 'three files' "$tacit" split t.csv --first t.csv --second b.csv --share 0.5
expect 2 'three files' "$tacit" split t.csv --first a.csv --second a.csv --share 0.5
mkfifo pipe
expect 2 'not a regular file' "$tacit" split t.csv --first a.csv --second pipe --share 0.5
is "the pipe is still one" "$([ -p pipe ] && echo yes)" yes
printf 'date,y\n2018-01-01,1\n31 February,2\n' >bad.csv
expect 3 'record 2, column "date": not a date' "$tacit" split bad.csv --first a.csv --second b.csv --by date --at 2018-01-01
grep -q February err && { failed=$((failed + 1)); echo "FAILED: a private value is quoted"; }
is "files after refusals" "$(ls a.csv b.csv .*tacit-tmp 2>/dev/null | wc -l)" 0
sed 's/"//g' t.csv >plain.csv
expect 3 'record 1' "$tacit" split plain.csv --first a.csv --second b.csv --share 0.5
# private: for their owner's eyes
expect 0 written split --share 0.5
is "permissions" "$(ls -l a.csv b.csv | cut -c1-10 | sort -u)" -rw-------

# Whole units, in the direction that the costs ask for, within the bounds.
printf 'x,y\n' >o.csv
awk 'BEGIN { srand(1); for (i = 0; i < 300; i++) { x = rand(); printf "%.4f,%.3f\n", x, 3 + 7 * x + rand() } }' >>o.csv
echo '{"target": {"name": "y", "min": 0, "max": 10.5}, "features": [{"name": "x", "min": 0, "max": 1}]}' >o.json
check() { # COSTS RULE: each whole order against the one before rounding
  "$tacit" fit o.csv --schema o.json $1 --method erm-exact --out o.policy >/dev/null 2>err
  "$tacit" order o.policy o.csv 2>err | sed 1d | cut -d, -f3 >real
  "$tacit" order o.policy o.csv --integer 2>err | sed 1d | cut -d, -f3 >integer
  is "orders that are not rounded $2" "$(paste real integer | awk -v rule="$2" '
    { q = $1; f = int(q); c = f == q ? f : f + 1; if (c > 10.5) c = f
      want = rule == "up" ? c : rule == "down" ? f : (q - f < 0.5 ? f : c); bad += $2 != want } END { print bad + 0, NR }')" "0 300"
}
check '--underage 9 --overage 1' up
check '--underage 1 --overage 9' down
check '--underage 2 --overage 2' nearest
check '--quantile 0.8' up
expect 0 '"y": [0-9]+\.0' "$tacit" order o.policy o.csv --integer --json
finish
