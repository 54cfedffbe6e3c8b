#!/bin/sh
# The house: who includes whom, what leaves the library, and that every privacy claim has its proof page.
# usage: house_test.sh PROGRAM BUILD_DIR   (run in the project's root)
set -u
build=$2
failed=0
complain() { echo "house: $*"; failed=1; }

# Rooms that a room may include, besides itself (DESIGN, "The house"; policy and study may use learn's results only
# through study).
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
    pass) echo "base num schema data loss question" ;;
    privacy) echo "base num question" ;;
    ledger) echo "base privacy" ;;
    erm) echo "base num schema data loss" ;;
    learn) echo "base num random schema source data loss question pass privacy erm" ;;
    policy) echo "base num schema privacy loss" ;;
    study) echo "base num random schema source data loss question pass privacy ledger erm learn policy" ;;
  esac
}
for room in base num random schema source data loss question pass privacy ledger erm learn policy study; do
  for file in src/$room/*.[ch]; do
    case $file in *_test.c | *_for_test.h) continue ;; esac
    for used in $(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$file" | sort -u); do
      [ "$used" = "$room" ] && continue
      case " $(may_use $room) " in *" $used "*) ;; *) complain "$file includes $used/" ;; esac
    done
  done
done
grep -n '#include "\(\.\./\)*src/\|#include "[a-z]*/' cli/*.[ch] && complain "the command line reaches into src/"
grep -nE '(^|[^a-z_])(printf|puts|putchar|exit|setlocale|rand|srand|signal)\(|stdout|stderr' src/*/*.c |
  grep -v '_test\.c:\|_gen\.c:' && complain "the library prints, exits, sets a locale or draws weak numbers"

# Only tacit_ symbols leave the shared library, and nothing that is not in a public header.
nm -D --defined-only "$build/libtacit.so" | awk '$2 ~ /[TDBR]/ {print $3}' >"$build/exported.txt"
grep -v '^tacit_' "$build/exported.txt" && complain "a symbol without the prefix leaves the library"
while read -r symbol; do
  grep -qw "$symbol" include/tacit/*.h || complain "$symbol is exported but in no public header"
done <"$build/exported.txt"
# Static: what files share has the prefix too, so that it cannot collide with another library.
nm --defined-only "$build/libtacit.a" 2>/dev/null | awk '$2 ~ /^[TDBR]$/ {print $3}' | grep -v '^tacit_' | grep -v '\.\(resolver\|default\|avx\)' &&
  complain "a shared symbol in the static library lacks the prefix"

# Every proof page that is named exists, and every proof page is named where its claim is used.
for page in $(grep -rhoE 'proofs/[a-z-]+\.md' src include docs README.md 2>/dev/null | sort -u); do
  [ -f "$page" ] || complain "$page is cited but missing"
done
for page in proofs/*.md; do
  grep -rq "$page" src include || complain "$page is cited nowhere in the code"
done
# A mechanism leaves the learners only through release.c.
grep -ln 'tacit_gaussian_integer' src/*/*.c | grep -v '_test\.c\|src/random/\|src/learn/release.c' &&
  complain "noise is drawn for a release outside src/learn/release.c"

# The probe at the release gate is for the audit, and for tests, alone.
grep -ln 'release_probe\|learn_probed' src/*/*.[ch] cli/*.[ch] include/tacit/*.h | grep -v '_test\.c\|^src/learn/\|^src/study/audit' &&
  complain "something besides the audit stands at the release gate"

# One version number.
version=$(cat VERSION)
header=$(sed -n 's/^#define TACIT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/tacit/base.h | paste -sd.)
[ "$header" = "$version" ] || complain "the headers' version is $header, not $version"
"$1" --version | grep -qx "tacit $version" || complain "the program's version is not $version"
grep -q "^## $version" CHANGELOG.md || complain "CHANGELOG.md does not know $version"
[ $failed = 0 ] && echo "house: in order"
exit $failed
