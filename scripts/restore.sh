#!/usr/bin/env bash
# Puts a backup of scripts/backup.sh into an empty installation, while Parley is stopped and its stores run. Refuses a
# backup that was changed, a database with tables, and a DATA_DIR that is not empty.
#
# Usage: scripts/restore.sh <folder>      the environment is that of backup.sh; ENV_FILE is written where there is none
set -euo pipefail
umask 077
# shellcheck source=scripts/addresses.sh
. "$(dirname "${BASH_SOURCE[0]}")/addresses.sh"

folder=$(cd "${1:?Usage: scripts/restore.sh <folder>}" && pwd)
data=${DATA_DIR:-./data}
env_file=${ENV_FILE:-./.env}
die() { echo "restore: $*" >&2; exit 1; }
in_compose() { [ "${COMPOSE:-}" = 1 ]; }

redis() {
  if in_compose; then docker compose exec -T redis sh -c 'REDISCLI_AUTH="$REDIS_PASSWORD" exec redis-cli "$@"' redis-cli "$@"
  else redis-cli "${redis_address[@]}" "$@"; fi
}
query() {
  if in_compose; then docker compose exec -T postgres psql -U parley -d parley -Atc "$1"
  else psql --dbname="$database_url" -Atc "$1"; fi
}

(cd "$folder" && sha256sum --quiet --check SHA256SUMS) || die "$folder is not what backup.sh has written"
if [ -f "$folder/database.dump" ]; then
  in_compose || [ -n "${DATABASE_URL:-}" ] || die "DATABASE_URL is not set, and the backup has a database of Postgres"
  tables=$(query "select count(*) from information_schema.tables where table_schema = 'public'")
  [ "$tables" = 0 ] || die "the database has $tables tables; name an empty one"
fi
if in_compose; then files=$(docker compose run --rm -T --no-deps control-api ls -A /data)
else mkdir -p "$data" && files=$(ls -A "$data"); fi
[ -z "$files" ] || die "DATA_DIR is not empty"
if [ -s "$folder/redis/keys" ]; then
  in_compose || [ -n "${REDIS_URL:-}" ] || die "REDIS_URL is not set, and the backup has call events of Redis"
fi

if [ -f "$folder/env" ] && [ ! -e "$env_file" ]; then cp "$folder/env" "$env_file"; fi
if in_compose; then docker compose run --rm -T --no-deps control-api tar -C /data -xf - <"$folder/data.tar"
else tar -C "$data" -xf "$folder/data.tar"; fi

if [ -f "$folder/database.dump" ]; then
  if in_compose; then
    docker compose exec -T postgres pg_restore -U parley -d parley --no-owner --exit-on-error --single-transaction <"$folder/database.dump"
  else pg_restore --dbname="$database_url" --no-owner --exit-on-error --single-transaction "$folder/database.dump"; fi
fi

number=0
while IFS= read -r key; do
  number=$((number + 1))
  answer=$(redis -x restore "$key" 0 <"$folder/redis/$number")
  [ "$answer" = OK ] || die "Redis does not take $key: $answer"
done <"$folder/redis/keys"
echo "restore: done; start the control APIs, then the gateways"
