#!/usr/bin/env bash
# Prints an Indexed Job in which pod i runs piece i (JOB_COMPLETION_INDEX):
#
#     IMAGE=registry/tiebreak CLAIM=results deploy/kubernetes.sh all | kubectl apply -f -
#
# IMAGE has the binary; CLAIM is a volume that all pods can write (ReadWriteMany). Afterwards: tiebreak reproduce collect all --out /out
set -euo pipefail
names=("${@:-all}")
tiebreak=${TIEBREAK:-tiebreak}
pieces=$("$tiebreak" reproduce plan "${names[@]}" | wc -l)
words=$(printf '"%s", ' "${names[@]}")
cat <<YAML
apiVersion: batch/v1
kind: Job
metadata:
  name: tiebreak
spec:
  completionMode: Indexed
  completions: $pieces
  parallelism: ${PARALLELISM:-8}
  backoffLimitPerIndex: 3
  maxFailedIndexes: $pieces
  template:
    spec:
      restartPolicy: Never
      # SIGTERM, then a minute to save.
      terminationGracePeriodSeconds: 60
      containers:
        - name: tiebreak
          image: ${IMAGE:-tiebreak:latest}
          command: ["tiebreak", "reproduce", "run", $words"--out", "/out", "--threads", "2"]
          resources:
            requests: { cpu: "2", memory: 1Gi }
            limits: { memory: 4Gi }
          volumeMounts:
            - { name: out, mountPath: /out }
      volumes:
        - name: out
          persistentVolumeClaim: { claimName: ${CLAIM:-tiebreak} }
YAML
