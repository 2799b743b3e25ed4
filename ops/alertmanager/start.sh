#!/bin/sh
# Writes Alertmanager's configuration from the environment, then starts it. Without a receiver alerts show on its own page
# (127.0.0.1:9093) only.
#
#   ALERT_WEBHOOK_URL   gets every alert as JSON (also the incoming webhook of a chat or pager that takes Alertmanager's form)
#   ALERT_MAIL_TO       gets a mail, sent as ALERT_MAIL_FROM through ALERT_SMTP_HOST (host:port), with ALERT_SMTP_USER and
#                       ALERT_SMTP_PASSWORD where the server asks for them
set -eu
file=${ALERTMANAGER_FILE:-/tmp/alertmanager.yml}

# A YAML scalar in single quotes.
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/''/g")"; }

{
  cat <<'END'
route:
  receiver: operators
  group_by: [alertname]
  group_wait: 15s
  group_interval: 2m
  repeat_interval: 4h
  routes:
    - matchers: [severity="warning"]
      repeat_interval: 24h
inhibit_rules:
  # A store that is away makes requests fail: one page, not two.
  - source_matchers: [alertname=~"DatabaseAway|BusAway|NoGateway"]
    target_matchers: [alertname=~"ApiErrors|RecorderFails|RecorderBehind"]
receivers:
  - name: operators
END
  if [ -n "${ALERT_WEBHOOK_URL:-}" ]; then
    echo "    webhook_configs:"
    echo "      - url: $(quoted "$ALERT_WEBHOOK_URL")"
  fi
  if [ -n "${ALERT_MAIL_TO:-}" ]; then
    echo "    email_configs:"
    echo "      - to: $(quoted "$ALERT_MAIL_TO")"
    echo "        from: $(quoted "${ALERT_MAIL_FROM:-$ALERT_MAIL_TO}")"
    echo "        smarthost: $(quoted "${ALERT_SMTP_HOST:?ALERT_MAIL_TO needs ALERT_SMTP_HOST, host:port}")"
    echo "        send_resolved: true"
    if [ -n "${ALERT_SMTP_USER:-}" ]; then
      echo "        auth_username: $(quoted "$ALERT_SMTP_USER")"
      echo "        auth_password: $(quoted "${ALERT_SMTP_PASSWORD:-}")"
    fi
  fi
} >"$file"

exec ${ALERTMANAGER_BIN:-/bin/alertmanager} --config.file="$file" --storage.path=/alertmanager "$@"
