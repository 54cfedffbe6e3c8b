#!/bin/sh
# Every public header by itself is C11 and C++11. usage: cplusplus_test.sh PROGRAM BUILD_DIR
set -u
failed=0
checks=0
for header in include/tacit/*.h; do
  name=tacit/$(basename "$header")
  for language in "cc -std=c11 -x c" "g++ -std=c++11 -x c++"; do
    command -v "${language%% *}" >/dev/null || { echo "no ${language%% *}: not tried"; continue; }
    checks=$((checks + 1))
    echo "#include <$name>" | $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude - || { failed=$((failed + 1)); echo "FAILED: $name, $language"; }
  done
done
echo "$((checks - failed)) passed, $failed failed"
[ $failed = 0 ]
