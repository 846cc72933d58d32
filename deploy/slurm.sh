#!/usr/bin/env bash
# A SLURM array: one task for each piece, then one job that collects.   OUT=/scratch/reproduction deploy/slurm.sh unique accuracy
set -euo pipefail
names=("${@:-all}")
out=${OUT:-$PWD/reproduction}
threads=${THREADS:-4}
tiebreak=${TIEBREAK:-tiebreak}

pieces=$("$tiebreak" reproduce plan "${names[@]}" --out "$out" | wc -l)
mkdir -p "$out/slurm"
# SIGTERM a minute before the end: the training saves, and the requeued task goes on from there.
array=$(sbatch --parsable --array="0-$((pieces - 1))" --job-name=tiebreak --cpus-per-task="$threads" --mem=4G --time=08:00:00 \
  --requeue --signal=TERM@60 --output="$out/slurm/%a.log" \
  --wrap="exec $tiebreak reproduce run ${names[*]} --out '$out' --threads $threads")
sbatch --dependency="afterany:$array" --job-name=tiebreak-collect --cpus-per-task=1 --mem=4G --time=00:30:00 \
  --output="$out/slurm/collect.log" --wrap="exec $tiebreak reproduce collect ${names[*]} --out '$out'"
