# What the tests of the whole program share. A test sources this with PROGRAM and BUILD_DIR as $1 and $2, works in its
# own folder, and ends with `finish`.
set -u
tacit=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(pwd)
data="$here/../shared/data"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME="$work/state" # fits are recorded there, never in the ledger of whoever runs the tests
export TACIT_FORCE=1 # tests write their policies again and again
cd "$work" || exit 1
checks=0
failed=0

# expect CODE PATTERN COMMAND...: the exit code, and an extended regular expression found in what was printed.
expect() {
  want=$1 pattern=$2
  shift 2
  "$@" >out 2>err </dev/null
  got=$?
  checks=$((checks + 1))
  if [ $got != "$want" ] || ! cat out err | grep -Eq -- "$pattern"; then
    failed=$((failed + 1))
    echo "FAILED: $*"
    echo "  exit code $got, expected $want; expected text: $pattern"
    sed 's/^/  | /' out err | head -5
  fi
}
# same A B: two files are byte-identical.
same() {
  checks=$((checks + 1))
  cmp -s "$1" "$2" || { failed=$((failed + 1)); echo "FAILED: $1 and $2 differ"; diff "$1" "$2" | head -5; }
}
# field FILE KEY: the first value of a key in a JSON file written one key a line.
field() { sed -n 's/^ *"'"$2"'": *\([^,]*\),*$/\1/p' "$1" | head -1; }
finish() {
  echo "$((checks - failed)) passed, $failed failed"
  [ $failed = 0 ]
  exit
}
