#!/bin/sh
# Start Parley first (npm start). Then: examples/outbound-call.sh [number]; its last two digits say who answers (docs/phones.md#the-loopback-numbers).
set -e
demo="${DATA_DIR:-data}/demo.json"
field() { grep -o "\"$1\": *\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
url=$(field baseUrl <"$demo") key=$(field apiKey <"$demo") agent=$(field agentId <"$demo")
placed=$(curl -sS "$url/api/sessions/initiate-call" -H "X-API-Key: $key" -H 'Content-Type: application/json' \
  -d "{\"agentId\": \"$agent\", \"to\": \"${1:-+12025550107}\"}")
echo "$placed"
call=$(echo "$placed" | field sessionId) && [ -n "$call" ]
while record=$(curl -sS "$url/api/v1/calls/$call" -H "X-API-Key: $key"); ! echo "$record" | grep -q '"endTime":"'; do
  sleep 1
done
echo "$record" | grep -o '"role":"[a-z]*","text":"[^"]*"' || echo "nobody said anything"
echo "the call is $(echo "$record" | field status)"
