#!/usr/bin/env bash
# A SLURM of one node on this machine, from Debian's packages, to try deploy/slurm.sh without a cluster. For root in a container or
# a throw-away machine: it writes /etc/slurm/slurm.conf and starts munged, slurmctld and slurmd.
set -euo pipefail
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurmctld slurmd slurm-client munge >/dev/null
host=$(hostname -s)
memory=$(awk '/MemTotal/ { print int($2 / 1024 * 0.9) }' /proc/meminfo)
mkdir -p /etc/slurm /var/spool/slurmctld /var/spool/slurmd /run/munge /var/log/munge /var/lib/munge
chown -R munge: /run/munge /var/log/munge /var/lib/munge /etc/munge
chmod 755 /run/munge
cat >/etc/slurm/slurm.conf <<CONF
ClusterName=single
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
ReturnToService=2
KillWait=30
JobRequeue=1
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$memory State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
pgrep munged >/dev/null || setpriv --reuid=munge --regid=munge --clear-groups munged
pgrep slurmctld >/dev/null || slurmctld
pgrep slurmd >/dev/null || slurmd
for _ in $(seq 30); do
  sinfo --noheader --format=%T 2>/dev/null | grep -q idle && break
  scontrol update NodeName="$host" State=RESUME 2>/dev/null || true
  sleep 1
done
sinfo
