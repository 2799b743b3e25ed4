import { ok } from "../../../../testkit/fakes/connectors/fake-vendor.ts";
import { SLACK_TOKEN, slackRefusal, startFakeSlack } from "../../../../testkit/fakes/connectors/slack.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";

const text = "A caller wants to be called back.";

connectorContract({
  connector,
  start: () => startFakeSlack(),
  settings: {},
  forms: { "bot token": { botToken: SLACK_TOKEN }, consent: { accessToken: "xoxe.xoxb-1-fake" } },
  badCredentials: { botToken: "xoxb-nobody" },
  account: "Shoes Inc",
  cases: [
    { capability: "message.send", args: { to: "#support", text }, result: { id: "C1:1767225600.000100" } },
    { capability: "message.send", args: { to: "U7", text }, result: { id: "D7:1767225600.000100" } },
  ],
  missing: { capability: "message.send", args: { to: "#nowhere", text } },
  faults: {
    missingScope: slackRefusal("missing_scope", { needed: "chat:write", provided: "identify" }),
    rateLimited: {
      status: 429,
      json: { ok: false, error: "ratelimited" },
      headers: { "retry-after": "30" },
    },
    hidden: {
      "a token that was revoked": { fault: slackRefusal("token_revoked"), is: "unauthorized" },
      "a token that has ended": { fault: slackRefusal("token_expired"), is: "unauthorized" },
      "a channel that the app is not in": { fault: slackRefusal("not_in_channel"), is: "denied" },
      "a channel that does not exist": { fault: slackRefusal("channel_not_found"), is: "not_found" },
      "a limit without its status": { fault: slackRefusal("ratelimited"), is: "rate_limited" },
      "a failure of Slack's own": { fault: slackRefusal("internal_error"), is: "failed" },
      "a refusal that is not known": { fault: slackRefusal("msg_blocked_by_policy"), is: "rejected" },
      "an answer without a message": { fault: ok({ ok: true }), is: "failed" },
    },
  },
});
