#!/usr/bin/env bash
# GNU parallel: as many pieces at a time as JOBS says, one thread each.   OUT=results JOBS=8 deploy/parallel.sh all
# Over ssh, with a shared OUT: add --sshlogin host1,host2 to the call of parallel.
set -euo pipefail
names=("${@:-all}")
out=${OUT:-reproduction}
tiebreak=${TIEBREAK:-tiebreak}

pieces=$("$tiebreak" reproduce plan "${names[@]}" --out "$out" | wc -l)
# What is there is collected even if a worker was killed; its exit code is kept.
failed=0
seq 0 $((pieces - 1)) | parallel --jobs "${JOBS:-100%}" --eta --joblog "${LOG:-parallel.log}" \
  "$tiebreak" reproduce run "${names[@]}" --out "$out" --threads 1 --index {} || failed=$?
"$tiebreak" reproduce collect "${names[@]}" --out "$out" || failed=$?
exit "$failed"
