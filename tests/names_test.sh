#!/bin/sh
# A method is called by its name in its own file of src/method alone: everybody else asks the table. A name as a string
# anywhere else would be a place to forget when a method is added, renamed or taken away.
# usage: names_test.sh PROGRAM BUILD_DIR   (run in the project's root)
set -u
build=$2
failed=0
complain() { echo "names: $*"; failed=1; }

# Each string of the code, with its file and line: comments and includes are no code.
strings() { # FILE...
  awk '
    FNR == 1 { inside = 0 }
    {
      if ($0 ~ /^ *# *include/) next
      rest = $0; out = ""; quoted = 0
      while (rest != "") {
        two = substr(rest, 1, 2); one = substr(rest, 1, 1)
        if (inside) { if (two == "*/") { inside = 0; rest = substr(rest, 3) } else rest = substr(rest, 2); continue }
        if (quoted) {
          if (one == "\\") { out = out two; rest = substr(rest, 3); continue }
          if (one == "\"") { print FILENAME ":" FNR ":" out; quoted = 0; out = "" } else out = out one
          rest = substr(rest, 2); continue
        }
        if (two == "/*") { inside = 1; rest = substr(rest, 3); continue }
        if (two == "//") break
        if (rest ~ /^\047(\\.|[^\\])\047/) { rest = substr(rest, one == "\047" && substr(rest, 2, 1) == "\\" ? 5 : 4); continue }
        if (one == "\"") quoted = 1
        rest = substr(rest, 2)
      }
    }' "$@"
}

# The names and their short forms, with the file that says them.
grep -HoE '^ *\.(name|alias) = "[a-z-]+"' src/method/*.c | sed 's/^\([^:]*\):.*"\(.*\)"/\2 \1/' | sort -u >"$build/method_names.txt"
[ "$(wc -l <"$build/method_names.txt")" -ge 14 ] || complain "the table of methods was not found"

# Not looked at: tests; papers, whose figures name what they compare; `tacit account`, whose commands sgd and objective
# are about a kind of noise and not about a method of fit.
find src cli include -name '*.[ch]' ! -name '*_test.c' ! -name '*_for_test.h' ! -path 'src/papers/*' ! -name 'account*.c' | sort >"$build/code.txt"
strings $(cat "$build/code.txt") >"$build/strings.txt"
[ "$(wc -l <"$build/strings.txt")" -ge 2000 ] || complain "the strings of the code were not found"

# Words that are also something else: a kernel and the plain release that the audit knows; a release's kind; a key of a
# release.
is_another_thing() {
  case $1 in
    gaussian:*) return 0 ;;
    objective:src/privacy/certificate.c | gradient:src/policy/certificate_json.c) return 0 ;;
  esac
  return 1
}
while read -r name home; do
  # Inside a longer text only what is no word of English: "gradient" may be one there.
  case $name in
    *-* | erm | saa | sgd) pattern="^[^:]*:[0-9]*:(|.*[^a-z-])$name(|[^a-z-].*)\$" ;;
    *) pattern="^[^:]*:[0-9]*:$name\$" ;;
  esac
  grep -E "$pattern" "$build/strings.txt" | while IFS=: read -r file line text; do
    [ "$file" = "$home" ] || is_another_thing "$name:$file" || echo "$file:$line: \"$name\" in \"$text\""
  done
done <"$build/method_names.txt" | sort -u >"$build/named.txt"
[ -s "$build/named.txt" ] && { cat "$build/named.txt"; complain "a method is named outside its own file; ask the table (method/methods.h, tacit/method.h)"; }
[ $failed = 0 ] && echo "names: each in its own file"
exit $failed
