#!/bin/sh
# Start Parley where Twilio reaches it (docs/phones.md#a-twilio-number-answered-by-an-agent). Then, with a number that you have at Twilio:
# TWILIO_ACCOUNT_SID=AC… TWILIO_AUTH_TOKEN=… PUBLIC_URL=https://… examples/twilio-number.sh +12025550100
set -e
field() { grep -o "\"$1\": *\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
demo() { field "$1" <"${DATA_DIR:-data}/demo.json"; }
url=$(demo baseUrl) org=$(demo orgId)
# The body comes by standard input: arguments of a program are seen by everybody on the machine.
post() { path=$1; shift; curl -sS "$url$path" -H 'Content-Type: application/json' -d @- "$@"; }

# Accounts at carriers are for people, so the demo's owner signs in.
token=$(echo "{\"email\": \"$(demo email)\", \"password\": \"$(demo password)\"}" | post /api/auth/login | field accessToken)
credentials="{\"accountSid\": \"$TWILIO_ACCOUNT_SID\", \"authToken\": \"$TWILIO_AUTH_TOKEN\"}"
connected=$(echo "{\"carrier\": \"twilio\", \"credentials\": $credentials}" |
  post "/api/orgs/$org/carriers" -H "Authorization: Bearer $token" -H "X-Org-Id: $org")
echo "$connected"
connection=$(echo "$connected" | field id)
# Connected before, for another number of the account.
if [ -z "$connection" ]; then
  connection=$(curl -sS "$url/api/orgs/$org/carriers" -H "Authorization: Bearer $token" -H "X-Org-Id: $org" |
    grep -o '{"id":"[^"]*","carrier":"twilio"' | field id)
fi
[ -n "$connection" ]

added=$(echo "{\"number\": \"$1\", \"carrier\": \"twilio\", \"agentId\": \"$(demo agentId)\"}" |
  post /api/v1/numbers -H "X-API-Key: $(demo apiKey)")
echo "$added"
echo "$added" | grep -q '"id"'
echo "In Twilio's console, for 'A call comes in' and 'Call status changes', webhook with HTTP POST:"
echo "${PUBLIC_URL:-$url}/api/public/carriers/$connection/inbound"
