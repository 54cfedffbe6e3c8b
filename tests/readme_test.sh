#!/bin/sh
# README's path from a raw table to an order: every command runs, and prints the lines that README shows. Where noise
# is drawn, numbers may be others; the demo walks the same path.
# usage: readme_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

page="$here/README.md"
expect 0 . awk 'END { print NR; exit NR > 150 }' "$page"
sed -n 's/^`tacit \(simulate shops .*\)` makes.*/\1/p' "$page" >simulate
expect 0 'schema-out' cat simulate
eval "\"\$tacit\" $(cat simulate)"

# command, and behind it the lines that it is said to print
awk '/^```/ { inside = !inside; shown = 0 } inside && /^\$ tacit / { n++; sub(/^\$ tacit /, ""); print >(n ".command"); shown = 1; next }
  shown && !/^```/ { print >(n ".lines") } END { print n }' "$page" >count
expect 0 '^[6-9]$' cat count
printf 'date,shop,product,promotion,temperature\n2025-01-04,Harbour,bread,false,4.5\n2025-01-04,Station,bread,true,4.5\n' >tomorrow.csv
alike() { case $1 in fit* | order* | evaluate*) sed 's/-*[0-9][0-9.e-]*/N/g; s/[+-]N/N/g; s/  */ /g' ;; *) cat ;; esac; }
k=1
while [ $k -le "$(cat count)" ]; do
  command=$(cat $k.command)
  expect 0 . "$tacit" $command
  alike "$command" <out >printed
  alike "$command" <$k.lines >shown
  while IFS= read -r line; do
    checks=$((checks + 1))
    grep -qxF -- "$line" printed || { failed=$((failed + 1)); echo "FAILED: tacit $command does not print: $line"; }
  done <shown
  k=$((k + 1))
done
# the table that README shows, and the schema but for its holidays
sed -n '/^date,shop,product,promotion,temperature,demand$/,/^```/p' "$page" | grep -v '```' >rows
head -3 shops.csv >first
same rows first
sed -n '/^```json/,/^```$/p' "$page" | grep -v '```' >said.json
tr -d ' \n' <said.json | sed 's/"holidays":\[[^]]*\]/H/' >said
tr -d ' \n' <schema.json | sed 's/"holidays":\[[^]]*\]/H/' >made
same said made

sh "$here/scripts/demo" "$tacit" >demo.out 2>&1 || { failed=$((failed + 1)); echo "FAILED: the demo"; tail -3 demo.out; }
for line in '^holds  all releases together are 0.5-GDP' '^2025-01-04,Station,bread,true,4.5,[0-9]+$' '    without privacy'; do
  expect 0 . grep -E "$line" demo.out
done
finish
