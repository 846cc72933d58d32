#!/usr/bin/env bash
# A SLURM array: one task for each piece, then one job that collects.   OUT=/scratch/reproduction deploy/slurm.sh unique accuracy
#
# A minute before a task's time is over SLURM sends SIGTERM; the training saves, and the task puts itself back into the queue and goes on
# from there. QUICK=--quick, TIME=MINUTES, THREADS and SBATCH_* (SLURM's own variables) fit it to a cluster.
set -euo pipefail
names=("${@:-all}")
out=${OUT:-$PWD/reproduction}
threads=${THREADS:-4}
tiebreak=${TIEBREAK:-tiebreak}
quick=${QUICK:-}

pieces=$("$tiebreak" reproduce plan "${names[@]}" $quick --out "$out" | wc -l)
mkdir -p "$out/slurm"
# SLURM signals the shell of a task, not what the shell has started, so the shell passes it on.
task="$out/slurm/task.sh"
cat >"$task" <<TASK
#!/usr/bin/env bash
$tiebreak reproduce run ${names[*]} $quick --out '$out' --threads $threads &
child=\$!
again() {
  kill -TERM \$child
  wait \$child
  scontrol requeue "\${SLURM_ARRAY_JOB_ID}_\${SLURM_ARRAY_TASK_ID}"
}
trap again TERM
wait \$child
TASK
array=$(sbatch --parsable --array="0-$((pieces - 1))" --job-name=tiebreak --cpus-per-task="$threads" --mem="${MEMORY:-4G}" \
  --time="${TIME:-480}" --requeue --open-mode=append --signal="B:TERM@${WARNING:-60}" --output="$out/slurm/%a.log" "$task")
sbatch --dependency="afterany:$array" --job-name=tiebreak-collect --cpus-per-task=1 --mem="${MEMORY:-4G}" --time=30 \
  --output="$out/slurm/collect.log" --wrap="exec $tiebreak reproduce collect ${names[*]} $quick --out '$out'"
