#!/usr/bin/env bash
# Backs an installation up into a new folder: call events that wait in Redis, the database, DATA_DIR (recordings and
# secrets.json) and the keys in .env. Runs beside live traffic. docs/operations.md#backup-and-restore.
#
# Usage: scripts/backup.sh <new folder>
#
#   DATABASE_URL   Postgres; without it DATA_DIR holds the embedded database, and Parley must be stopped
#   DATA_DIR       ./data
#   REDIS_URL      without it nothing is taken from Redis; a Cluster's or Sentinel's: any primary that has the stream
#   REDIS_PREFIX   parley:
#   ENV_FILE       ./.env, left out where there is none
#   COMPOSE        1: ask the containers of docker-compose.yml instead of the three addresses above
set -euo pipefail
umask 077
# shellcheck source=scripts/addresses.sh
. "$(dirname "${BASH_SOURCE[0]}")/addresses.sh"

folder=${1:?Usage: scripts/backup.sh <new folder>}
data=${DATA_DIR:-./data}
env_file=${ENV_FILE:-./.env}
prefix=${REDIS_PREFIX:-parley:}
[ ! -e "$folder" ] || { echo "backup: $folder is there already; name a new folder" >&2; exit 1; }
mkdir -p "$folder/redis"

in_compose() { [ "${COMPOSE:-}" = 1 ]; }

redis() {
  if in_compose; then docker compose exec -T redis sh -c 'REDISCLI_AUTH="$REDIS_PASSWORD" exec redis-cli "$@"' redis-cli "$@"
  else redis-cli "${redis_address[@]}" "$@"; fi
}

# In this order: an event is recorded before it leaves Redis, and a row of the database names a file that is there.
# What is taken twice is recorded once.
if in_compose || [ -n "${REDIS_URL:-}" ]; then
  redis --scan --pattern "${prefix}call-events*" >"$folder/redis/keys"
  number=0
  while IFS= read -r key; do
    number=$((number + 1))
    # Redis' own form of a key, without the line break that redis-cli adds.
    redis dump "$key" </dev/null | head -c -1 >"$folder/redis/$number"
  done <"$folder/redis/keys"
  echo "backup: $number streams of Redis"
else
  : >"$folder/redis/keys"
  echo "backup: REDIS_URL is not set, nothing of Redis is in it"
fi

if in_compose; then docker compose exec -T postgres pg_dump -U parley -d parley --format=custom >"$folder/database.dump"
elif [ -n "${DATABASE_URL:-}" ]; then pg_dump --dbname="$database_url" --format=custom --file="$folder/database.dump"
else echo "backup: DATABASE_URL is not set, the database is the embedded one in $data"; fi

# A recording may grow meanwhile, which tar tells with status 1: its call goes on, and it is none yet.
status=0
if in_compose; then docker compose exec -T control-api tar -C /data -cf - . >"$folder/data.tar" || status=$?
else tar -C "$data" -cf "$folder/data.tar" . || status=$?; fi
[ "$status" -le 1 ] || { echo "backup: DATA_DIR could not be read" >&2; exit 1; }

if [ -f "$env_file" ]; then cp "$env_file" "$folder/env"; else echo "backup: no $env_file, keep your keys elsewhere"; fi
(cd "$folder" && find . -type f ! -name SHA256SUMS -print0 | sort -z | xargs -0 sha256sum >SHA256SUMS)
echo "backup: $(du -sh "$folder" | cut -f1) in $folder; it holds keys, so keep it as you keep them"
