#!/bin/sh
# No function takes more than seven parameters: what belongs together has a struct with a name. Tests may.
# usage: parameters_test.sh PROGRAM BUILD_DIR   (run in the project's root)
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# long_lists FILE...: "file: name: count" for each function, prototype or pointer to a function with more than seven.
long_lists() {
  awk -v most=7 '
    # Comments, texts and directives do not count; a directive may go on for several lines.
    function bare(s,   out, c, two, i, n, quote, first) {
      out = ""; n = length(s); first = 1
      for (i = 1; i <= n; i++) {
        c = substr(s, i, 1); two = substr(s, i, 2)
        if (two == "/*") { i += 2; while (i <= n && substr(s, i, 2) != "*/") i++; i++; out = out " "; continue }
        if (two == "//") { while (i <= n && substr(s, i, 1) != "\n") i++; out = out "\n"; first = 1; continue }
        if (c == "#" && first) {
          while (i <= n && substr(s, i, 1) != "\n") { if (substr(s, i, 1) == "\\") i++; i++ }
          out = out "\n"; continue
        }
        if (c == "\"" || c == "\047") {
          quote = c
          for (i++; i <= n && substr(s, i, 1) != quote; i++) if (substr(s, i, 1) == "\\") i++
          out = out "0"; first = 0; continue
        }
        if (c == "\n") first = 1; else if (c !~ /[ \t]/) first = 0
        out = out c
      }
      return out
    }
    # Outside braces a list in parentheses is of parameters; behind "(*name)" it is everywhere, calls apart.
    function look(file, s,   i, n, c, braces, depth, word, before, group, pointer, counts, commas, names) {
      n = length(s); braces = 0; depth = 0; word = ""; before = ""; pointer = ""
      for (i = 1; i <= n; i++) {
        c = substr(s, i, 1)
        if (c ~ /[A-Za-z0-9_]/) { word = word c; continue }
        if (word != "") before = word
        if (c == "{") { braces++; pointer = "" }
        else if (c == "}") { braces--; pointer = "" }
        else if (c == "(") {
          depth++; commas[depth] = 0
          names[depth] = pointer != "" ? pointer : before
          counts[depth] = pointer != "" || (braces == 0 && word_ends(s, i))
          opened[depth] = i; pointer = ""
        } else if (c == ")") {
          if (counts[depth] && commas[depth] + 1 > most) print file ": " names[depth] ": " commas[depth] + 1
          group = substr(s, opened[depth], i - opened[depth] + 1)
          pointer = ""
          if (group ~ /^\([ \t\n]*\*[ \t\n]*(const[ \t\n]+)?[A-Za-z_][A-Za-z0-9_]*(\[[^]]*\])?\)$/) pointer = before
          depth--
        } else if (c == ",") commas[depth]++
        else if (c !~ /[ \t\n]/) pointer = ""
        word = ""
      }
      if (braces != 0 || depth != 0) print file ": braces: not read to the end"
    }
    function word_ends(s, i,   k) {
      for (k = i - 1; k > 0 && substr(s, k, 1) ~ /[ \t\n]/; k--);
      return substr(s, k, 1) ~ /[A-Za-z0-9_]/
    }
    FNR == 1 && NR > 1 { look(file, bare(text)); text = "" }
    { file = FILENAME; text = text $0 "\n" }
    END { if (text != "") look(file, bare(text)) }
  ' "$@"
}

# It sees what it should, and no more.
cat >"$work/eight.c" <<'C'
/* int in_comment(int a, int b, int c, int d, int e, int f, int g, int h); */
#define MACRO(a, b, c, d, e, f, g, h) \
  call(a, b, c, d, e, f, g, h)
int seven(int a, int b, int c, int (*d)(int, int), int e, int f, int g);
static int eight(int a, int b, int c, // one, two, three
                 int (*d)(int, int), int e, int f, int g, const char *h) {
  if (a) return call(a, b, c, ',', "(", f, g, h);
  return 0;
}
int declared(int a, int b, int c, int d, int e,
             int f, int g, int h) CHECKED;
typedef int (*of_type)(int a, int b, int c, int d, int e, int f, int g, int h);
struct s {
  int (*member)(int a, int b, int c, int d, int e, int f, int g, int h);
};
static const int LIST[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
C
found=$(long_lists "$work/eight.c" | sed 's/.*eight\.c: //' | paste -sd';')
want="eight: 8;declared: 8;of_type: 8;member: 8"
[ "$found" = "$want" ] || { echo "parameters: the check itself finds \"$found\", not \"$want\""; exit 1; }

find src cli include -name '*.[ch]' ! -name '*_test.c' ! -name '*_for_test.h' | sort >"$work/files"
[ "$(wc -l <"$work/files")" -gt 100 ] || { echo "parameters: hardly any files; run in the project's root"; exit 1; }
long_lists $(cat "$work/files") >"$work/found"
failed=0
while IFS=' ' read -r file name count; do
  echo "parameters: $file $name $count, more than seven"
  failed=1
done <"$work/found"
[ $failed = 0 ] && echo "parameters: in order"
exit $failed
