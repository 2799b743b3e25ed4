# Sourced by backup.sh and restore.sh: the addresses of the stores, without their passwords. An argument of a program is
# seen by everybody on the machine (ps), its environment is not.

# Percent-decodes $1.
decoded() {
  local text=${1//\\/\\\\}
  printf '%b' "${text//%/\\x}"
}

# Splits a URL into `url_bare` (no name, no password), `url_user` and `url_password` (decoded, empty where there is none).
split_url() {
  local scheme=${1%%://*} rest=${1#*://} authority info=
  authority=${rest%%[/?#]*}
  case $authority in *@*) info=${authority%@*} ;; esac
  url_bare=$scheme://${authority##*@}${rest#"$authority"}
  url_user=$(decoded "${info%%:*}")
  url_password=
  case $info in *:*) url_password=$(decoded "${info#*:}") ;; esac
}

# Every program of Postgres reads these; what the URL has besides goes to it as `database_url`.
if [ -n "${DATABASE_URL:-}" ]; then
  split_url "$DATABASE_URL"
  database_url=$url_bare
  [ -z "$url_user" ] || export PGUSER=$url_user
  [ -z "$url_password" ] || export PGPASSWORD=$url_password
fi

if [ -n "${REDIS_URL:-}" ]; then
  split_url "$REDIS_URL"
  redis_address=(-u "$url_bare")
  if [ -n "$url_user" ]; then redis_address+=(--user "$url_user"); fi
  [ -z "$url_password" ] || export REDISCLI_AUTH=$url_password
fi
