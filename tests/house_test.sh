#!/bin/sh
# The house: who includes whom, what leaves the library, and that every privacy claim has its proof page.
# usage: house_test.sh PROGRAM BUILD_DIR   (run in the project's root)
set -u
build=$2
failed=0
complain() { echo "house: $*"; failed=1; }

# Rooms that a room may include, besides itself (docs/design.md, "The house").
may_use() {
  case $1 in
    base) echo "" ;;
    num) echo "base" ;;
    random) echo "base num" ;;
    schema) echo "base num" ;;
    source) echo "base num schema" ;;
    data) echo "base num schema source" ;;
    loss) echo "base num" ;;
    question) echo "base num schema loss" ;;
    pass) echo "base num schema source data loss question" ;;
    privacy) echo "base num schema question" ;;
    method) echo "base num schema loss question privacy" ;;
    ledger) echo "base schema privacy" ;;
    erm) echo "base num schema data loss" ;;
    learn) echo "base num random schema source data loss question pass privacy method erm" ;;
    policy) echo "base num schema source data loss question privacy method" ;;
    study) echo "base num random schema source data loss question pass privacy method ledger erm learn policy" ;;
    papers) echo "base num random schema source data loss question pass privacy method ledger erm learn policy study" ;;
  esac
}
inside="base num random schema source data loss question pass privacy method ledger erm learn policy study" # libtacit
rooms="$inside papers"
may() { [ "$1" = "$2" ] || case " $(may_use "$1") " in *" $2 "*) ;; *) return 1 ;; esac; }
files_of() { find "src/$1" -name '*.[ch]' ! -name '*_test.c' ! -name '*_for_test.h' ! -name '*_gen.c' | sort; }
for room in $(ls src); do
  case " $rooms " in *" $room "*) ;; *) complain "src/$room is no room of the house" ;; esac
done

# A public header is of the room that defines the functions it declares; tacit.h only gathers.
for room in $rooms; do
  files_of "$room" | grep '\.c$' | xargs sed -n 's/^\([a-z][a-z0-9_ *]*[ *]\)\{0,1\}\(tacit_[a-z0-9_]*\)(.*/\2/p' | sed "s/\$/ $room/"
done | sort -u >"$build/definitions.txt"
declared() { # the functions of a header
  tr '\n' ' ' <"$1" | sed 's|/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/||g' | grep -o 'TACIT_API [^;(]*(' | sed 's/.*[ *]\([a-z0-9_]*\)($/\1/' | sort -u
}
: >"$build/headers.txt"
for header in include/tacit/*.h; do
  name=$(basename "$header")
  home=$(declared "$header" | join - "$build/definitions.txt" | cut -d' ' -f2 | sort -u | paste -sd' ')
  case $home in
    *' '*) complain "$header declares functions of several rooms: $home" ;;
    '') [ "$name" = tacit.h ] || complain "$header declares nothing that a room defines" ;;
  esac
  echo "$name $home" >>"$build/headers.txt"
done
home_of() { sed -n "s/^$1 //p" "$build/headers.txt"; }
public_includes() { sed -n 's|^#include <tacit/\(.*\)>.*|\1|p' "$1"; }
# A header, and what it includes in turn.
reached() {
  new=$1 all=
  while [ -n "$new" ]; do
    all="$all $new" next=
    for header in $new; do next="$next $(public_includes "include/tacit/$header")"; done
    new=
    for header in $next; do case " $all $new " in *" $header "*) ;; *) new="$new $header" ;; esac; done
  done
  echo "$all"
}
for room in $rooms; do
  for file in $(files_of "$room"); do
    for used in $(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$file" | sort -u); do
      may "$room" "$used" || complain "$file includes $used/"
    done
  done
  for included in $(files_of "$room" | xargs cat | sed -n 's|^#include <tacit/\(.*\)>.*|\1|p' | sort -u); do
    for header in $(reached "$included"); do
      [ -n "$(home_of "$header")" ] && may "$room" "$(home_of "$header")" ||
        complain "$(files_of "$room" | xargs grep -l "^#include <tacit/$included>" | paste -sd' ') has tacit/$header, which is not for the room $room"
    done
  done
done
while read -r header home; do
  for included in $(public_includes "include/tacit/$header"); do
    [ "$header" = tacit.h ] || may "$home" "$(home_of "$included")" || complain "tacit/$header includes tacit/$included"
  done
done <"$build/headers.txt"
grep -q '^#include <tacit/papers.h>' include/tacit/tacit.h && complain "tacit.h gathers libtacit, not the papers"
# Two headers with one guard cannot be included together.
grep -rhE '^#ifndef TACIT_[A-Z0-9_]*_H$' src include --include='*.h' | sort | uniq -d | grep . && complain "two headers have the same guard"
# One paper does not know another.
for paper in src/papers/*/; do
  paper=$(basename "$paper")
  grep -n '#include "papers/[a-z]*/' src/papers/"$paper"/*.[ch] | grep -v "#include \"papers/$paper/" && complain "a file of papers/$paper includes another paper's"
done
grep -n '#include "\(\.\./\)*src/\|#include "[a-z]*/' cli/*.[ch] && complain "the command line reaches into src/"

# The libraries do not print, end the program, start another, set a locale or draw weak numbers. Where going on would
# release data without its noise, random stops.
for room in $rooms; do
  files_of "$room"
done | grep '\.c$' >"$build/sources.txt"
xargs grep -nE '(^|[^a-z_])(printf|puts|putchar|exit|_exit|setlocale|rand|srand|signal)\(|stdout|stderr' <"$build/sources.txt" &&
  complain "a library prints, exits, sets a locale or draws weak numbers"
xargs grep -nE '(^|[^a-zA-Z0-9_])(v?fork|popen|system|exec[lv]p?e?|posix_spawnp?)\(' <"$build/sources.txt" && complain "a library starts a program"
grep -v "^src/random/" "$build/sources.txt" | xargs grep -nE '(^|[^a-z_])abort\(' && complain "a library aborts"

# What is opened to be read is opened by base/reading.c, which refuses a ledger: to close one drops the locks of whoever
# spends. Others open folders, names (O_PATH) and files that they make.
grep -v '^src/base/\(reading\|temporary\)\.c$' "$build/sources.txt" | xargs grep -nE '(^|[^a-z0-9_>.])(f|fd|fre)?open(at)?\(' |
  grep -v 'O_EXCL\|O_DIRECTORY\|O_PATH' && complain "a library opens a file to read other than by base/reading.h"

# Only tacit_ symbols leave the shared libraries, and nothing that is not in their public headers. Static: what files
# share has the prefix too, so that it cannot collide with another library.
for library in tacit tacit-papers; do
  headers=$(grep -l TACIT_API include/tacit/*.h | grep -v '/papers\.h$')
  [ $library = tacit ] || headers=include/tacit/papers.h
  nm -D --defined-only "$build/lib$library.so" | awk '$2 ~ /[TDBR]/ {print $3}' >"$build/exported.txt"
  [ -s "$build/exported.txt" ] || complain "lib$library shows nothing"
  grep -v '^tacit_' "$build/exported.txt" && complain "a symbol without the prefix leaves lib$library"
  while read -r symbol; do
    grep -qw "$symbol" $headers || complain "lib$library shows $symbol, which is in no header of its own"
  done <"$build/exported.txt"
  nm --defined-only "$build/lib$library.a" 2>/dev/null | awk '$2 ~ /^[TDBR]$/ {print $3}' | grep -v '^tacit_' | grep -v '\.\(resolver\|default\|avx\)' &&
    complain "a shared symbol in lib$library.a lacks the prefix"
done
# libtacit does not know the papers: nothing that it lacks is theirs.
nm --defined-only "$build/libtacit-papers.a" 2>/dev/null | awk '$2 ~ /^[TDBR]$/ {print $3}' | sort -u >"$build/papers.txt"
nm -u "$build/libtacit.a" 2>/dev/null | awk '{print $2}' | sort -u | join - "$build/papers.txt" | grep . && complain "libtacit needs what is in the papers"

# Every proof page that is named exists, and every proof page is named where its claim is used.
for page in $(grep -rhoE 'proofs/[a-z-]+\.md' src include docs README.md 2>/dev/null | sort -u); do
  [ -f "$page" ] || complain "$page is cited but missing"
done
for page in proofs/*.md; do
  grep -rq "$page" src include || complain "$page is cited nowhere in the code"
done
# A mechanism leaves the learners only through release.c.
grep -rln --include='*.c' 'tacit_gaussian_integer' src | grep -v '_test\.c\|src/random/\|src/learn/release.c' &&
  complain "noise is drawn for a release outside src/learn/release.c"

# Whoever answers questions about rows sees no noise, budget or entropy; whoever writes them, no rows.
grep -nE 'tacit_(stream|gaussian|noise|budget|release|certificate|mechanism|ledger|learn)[a-z_]*|randombytes|getrandom|getentropy|keygen|dev/u?random' \
  $(files_of pass) $(files_of question) && complain "a question or its answer knows of noise, budget or entropy"
grep -nE 'tacit_(design|block|source|sample|pack)[a-z_]*' $(files_of question) && complain "a question knows of rows"
for object in "$build"/CMakeFiles/tacit_pass.dir/src/pass/*.o "$build"/CMakeFiles/tacit_question.dir/src/question/*.o; do
  nm -u "$object" | awk '{print $2}'
done | sort -u | join - "$build/definitions.txt" | grep -E ' (random|privacy|ledger|erm|method|learn|policy|study|papers)$' &&
  complain "a question or its answer calls a room that knows of noise or budget"
# Private learners touch rows by questions alone; the door reads them for those that need them in one place.
grep -lE 'tacit_(read_design|read_sample|design_[a-z]+|row_sum|score_sums?|step_sum|decision_sum|encode_source)\(' $(files_of learn) |
  grep -vE '/(learn|sgd|objective[a-z_]*|baseline|spo_baseline)\.c$' && complain "a private learner touches rows other than by a question"

# The probe at the release gate is for the audit, and for tests, alone.
grep -rln --include='*.[ch]' 'release_probe\|tacit_watch\|learn_watched\|cost_probed' src cli include | grep -v '_test\.c\|^src/learn/\|^src/study/audit' &&
  complain "something besides the audit stands at the release gate"

# One version number.
version=$(cat VERSION)
header=$(sed -n 's/^#define TACIT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/tacit/base.h | paste -sd.)
[ "$header" = "$version" ] || complain "the headers' version is $header, not $version"
"$1" --version | grep -qx "tacit $version" || complain "the program's version is not $version"
grep -q "^## $version" CHANGELOG.md || complain "CHANGELOG.md does not know $version"
[ $failed = 0 ] && echo "house: in order"
exit $failed
