/** What `parley --help` says. */
export const USAGE = `Usage: parley listen [--forward <url>] [options]

Fetches your organization's webhooks and posts them to a port of this machine, signed as they would be. What happens
while the connection is lost waits for you, for two minutes.

  --forward <url>         where to post them, such as http://localhost:3000/hook; without it they are only shown
  --events <a,b>          only these events; all without it
  --agent <id>            only sessions of this agent
  --include-recording     put the recording's address into call.ended
  --include-transcript    put the transcript into call.ended
  --api <url>             address of Parley; without it PARLEY_URL, the demo's, or http://localhost:8080
  --key <key>             API key; better in PARLEY_API_KEY, where no list of processes shows it
  --print-body            show each body
  --json                  one line of JSON for each delivery, and one with the signing secret before
  --help                  show this

Without PARLEY_API_KEY the demo's key is used, where npm start left it (data/demo.json).
`;
