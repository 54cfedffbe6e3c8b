#!/bin/sh
# What --out leaves: tables as CSV, scripts, and pictures where gnuplot is there; and the names of columns.
. tests/lib.sh
there() { for file in "$@"; do checks=$((checks + 1)); [ -s "$file" ] || { failed=$((failed + 1)); echo "FAILED: no $file"; }; done; }
missing() { for file in "$@"; do checks=$((checks + 1)); [ ! -e "$file" ] || { failed=$((failed + 1)); echo "FAILED: there is a $file"; }; done; }
line() { checks=$((checks + 1)); sed -n "$2p" "$1" | grep -qF -- "$3" || { failed=$((failed + 1)); echo "FAILED: line $2 of $1 is not $3"; }; }

# without gnuplot: tables and scripts, and it is said
bare() { env PATH=/nonexistent "$tacit" "$@"; }
expect 0 '^files: chen-smoothing.csv, chen-smoothing-curves.csv, chen-smoothing.gp in a; no picture: gnuplot' bare reproduce chen-smoothing --out a
line a/chen-smoothing.csv 1 'figure,curve,bandwidth,gap_at_0,gap_at_2,least_gap,largest_gap'
line a/chen-smoothing.csv 2 '"Chen and Chua, Fig. 1(a)","Gaussian h = 0.25",0.25,'
line a/chen-smoothing-curves.csv 1 'u,"Gaussian h = 0.25",'
there a/chen-smoothing.gp
missing a/chen-smoothing.png
expect 0 '"drawn": false' bare reproduce chen-smoothing --out a --json

# a gnuplot that only makes the file it is told to
mkdir bin
printf '#!/bin/sh\nsed -n "s/^set output .\\(.*\\).$/\\1/p" "$1" | { read -r file; echo picture >"$file"; }\n' >bin/gnuplot
chmod +x bin/gnuplot
with() { env PATH="$work/bin:$PATH" "$tacit" "$@"; }
expect 0 '"drawn": true' with reproduce chen-output --reps 2 --rows 64 --out b --json
expect 0 '"folder": "b"' with reproduce chen-output --reps 2 --rows 64 --out b --json
there b/chen-output.png
expect 0 'files: zhao-figures.csv, fig2.csv' with reproduce zhao-figures --reps 1
for k in 2 3 4 5 6 7 8 9; do there zhao-figures/fig$k.csv zhao-figures/fig$k.gp zhao-figures/fig$k.png; done
line zhao-figures/fig4.csv 1 'tau,mu,n,best_step,as_published_log_error,'
expect 0 'files: impact.csv, impact.gp, impact.png in c$' with impact --reps 2 --rows 200 --epsilon 1 --out c

# a study without a picture leaves its table
expect 0 'files: wang-spo-vs-spoplus.csv in d$' with reproduce wang-spo-vs-spoplus --out d
there d/wang-spo-vs-spoplus.csv

# a folder that cannot be made is refused before the work
expect 5 'cannot make the folder' "$tacit" reproduce zhao-table1 --out /dev/null/nowhere
expect 5 'cannot make the folder' "$tacit" impact --out /dev/null/nowhere

# plans
"$tacit" simulate zhao-normal --rows 10 --schema-out s.json >t.csv
plan() { with plan --schema s.json --reps 2 --rows 100 --quantile 0.5 "$@"; }
expect 0 'written: plan.png' plan --out plan.png
expect 0 '"picture": "plan.svg"' plan --out plan.svg --json
there plan.png plan.svg plan.gp
expect 2 '.png or .svg' plan --out plan.pdf
expect 2 'no quote' plan --out "it's.png"
expect 5 'cannot write plan.gp' plan --out /no-such-folder/plan.png

# columns say what they hold: no bar is a "paper", no figure of ours is "published"
"$tacit" reproduce default-chen --reps 2 --json >bars.json
for word in bar constant_order tacit; do expect 0 "\"$word\": [0-9]" cat bars.json; done
expect 1 'none' sh -c 'grep "\"paper\|\"published" bars.json || { echo none; exit 1; }'
expect 0 'bar \(se\) +constant_order \(se\) +tacit \(se\)' "$tacit" reproduce default-chen --reps 2
expect 0 'paper \(sd\) +as_published \(se\) +best_step +line_search \(se\) +tacit \(se\)' "$tacit" reproduce zhao-table1 --reps 1

# the scripts themselves, where gnuplot is installed
if command -v gnuplot >/dev/null; then
  for folder in a b c zhao-figures; do
    for script in "$folder"/*.gp; do expect 0 'drawn' sh -c "cd $folder && gnuplot $(basename "$script") && echo drawn"; done
  done
fi
finish
