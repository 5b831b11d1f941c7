#!/bin/sh
# Restores the newest backup into another folder and starts PostgreSQL there, beside the running cluster and without
# touching it: the rehearsal of every month, and the first half of a real restore. Run it as the user who owns the backups.
#
#   ops/restore-elsewhere.sh SETTINGS FOLDER PORT [TIME]
#
# SETTINGS is the filled-in pgbackrest.conf of this host. Without TIME, which is such as "2026-11-19 12:00:00+00", it
# restores all that was archived. It ends when the database answers and can be written; pg_ctl stops it.
set -eu
settings=$1 folder=$2 port=$3 time=${4:-}
bin=/usr/lib/postgresql/15/bin

if [ -n "$time" ]; then
  set -- --type=time "--target=$time" --target-action=promote
else
  set --
fi
began=$(date +%s)
pgbackrest --config="$settings" --stanza=lode --pg1-path="$folder" "$@" --archive-mode=off restore
restored=$(date +%s)
# The settings of the node that was backed up would look for its standbys, its primary and its own folder.
"$bin/pg_ctl" -D "$folder" -l "$folder/restore.log" -t 3600 -w start -o "-p $port -c listen_addresses=127.0.0.1 \
  -c unix_socket_directories=$folder -c synchronous_standby_names= -c primary_conninfo= -c primary_slot_name= \
  -c hba_file=$folder/pg_hba.conf -c ident_file=$folder/pg_ident.conf -c archive_mode=off"
# A moment after the end of the archived log ends the server instead.
while LC_ALL=C "$bin/pg_controldata" -D "$folder" | grep -q 'Database cluster state: *in archive recovery'; do
  "$bin/pg_ctl" -D "$folder" status >/dev/null || { tail -n 5 "$folder/restore.log" >&2; exit 1; }
  sleep 1
done
echo "copied in $((restored - began)) s, log replayed in $(($(date +%s) - restored)) s"
