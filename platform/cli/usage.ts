/** Text of `parley --help`. */
export const USAGE = `Usage: parley listen [--forward <url>] [options]
       parley trigger <event> [--set <field>=<value>] [options]
       parley rehearse <agent> [<file> …] [--speech] [--noise <place>] [--junit <file>] [options]
       parley app create <folder> | dev | validate | publish [options]

parley listen fetches your organization's webhooks and posts them to a port of this machine, signed as they would be.
What happens while the connection is lost waits for you, for two minutes. The signing secret stays the same.

  --forward <url>         where to post them, such as http://localhost:3000/hook; without it they are only shown
  --events <a,b>          only these events; all without it
  --agent <id>            only sessions of this agent
  --include-recording     put the recording's address into call.ended
  --include-transcript    put the transcript into call.ended
  --secret <whsec_…>      sign with this secret instead of this machine's own; better in PARLEY_SIGNING_SECRET
  --print-secret          show the signing secret and end, as for SIGNING_SECRET=$(parley listen --print-secret)
  --print-body            show each body

parley trigger sends the sample of an event, such as call.ended, to the endpoints and listeners that want this event.

  --set <field>=<value>   replace a value of the sample, as often as you like: --set endReason=max_duration,
                          --set variables.tier=gold, --set transcript.0.text=Hello; JSON is taken as JSON
  --endpoint <id>         only to this endpoint, whatever it wants

parley rehearse holds the conversations of scenario files with an agent, by its id, and tells which went as they should; nothing is
called for real. A file is JSON: {"scenarios": […]}, as in docs/flows.md; without one the agent's own are held. Keys may not rehearse: set PARLEY_EMAIL and PARLEY_PASSWORD
(or PARLEY_TOKEN) of an account, better one of its own. The exit code is 1 when one failed.

  --speech                hold them as calls, in speech: the caller has the built-in voice, and the agent its own recognizer
  --noise <place>         in speech, around the caller: office, cafe or call-center, with a volume in dB as in cafe:6
  --junit <file>          write the report for CI, too
  --org <id>              the organization, where the account has several

parley app creates an app for the dashboard, serves it while you write it, says what publishing would say, and publishes it.
All but create take the app's folder after them; without it this one.

  --port <number>         where dev serves it; without it 5174, where the dashboard's dev preview looks first
  --no-activate           publish a version that is not the active one yet

All have

  --api <url>             address of Parley; without it PARLEY_URL, the demo's, or http://localhost:8080
  --key <key>             API key; better in PARLEY_API_KEY, where no list of processes shows it
  --json                  not for apps: JSON for programs: a line for each delivery, and one with the signing secret before;
                          of rehearsals a line for each file
  --help                  show this

Without PARLEY_API_KEY the demo's key is used, where npm start left it (data/demo.json). The exit code is 0 when all went
well, 2 for what you can change, with the reason on standard error, and 1 for anything else.
`;
