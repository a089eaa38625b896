# A checker for tests that takes 2 s and hardly a processor: `sh test/whole/slow-checker.sh FOLDER "$@"`. For each file of
# the checks it is one test whether the work has the same. FOLDER/runs gets a line for each run, FOLDER/at-once how many
# runs there are; FOLDER/running must be there.
: >"$1/running/$$"
set -- "$1" "$3" "$4" "$(ls "$1/running" | wc -l)"
echo "$4" >>"$1/at-once"
cat "$2/id" >>"$1/runs"
sleep 2
tests= status=pass
for check in "$ASSAY_CHECKS"/*; do
  name=${check##*/}
  if cmp -s "$check" "$ASSAY_WORK/$name"; then found=pass; else found=fail status=fail; fi
  tests="$tests${tests:+,}{\"name\":\"$name\",\"status\":\"$found\"}"
done
rm "$1/running/$$"
echo "{\"version\":2,\"status\":\"$status\",\"tests\":[$tests]}" >"$3/results.json"
