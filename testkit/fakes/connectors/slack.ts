import { FakeConsents } from "./fake-consents.ts";
import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

export const SLACK_TOKEN = "xoxb-1-fake";

/** Slack's refusals have status 200. */
export const slackRefusal = (error: string, more = {}): Reply => ok({ ok: false, error, ...more });

const CHANNELS: Readonly<Record<string, string>> = { "#support": "C1", C1: "C1", U7: "D7" };
const NOBODY = ["#staff"];

/** Slack's consent flow, with rotated tokens. */
export function slackConsents(): FakeConsents {
  return new FakeConsents({
    paths: { authorize: "/oauth/v2/authorize", token: "/api/oauth.v2.access", revoke: "/api/auth.revoke" },
    token: "xoxe.xoxb-1-fake",
    reply: { ok: true, token_type: "bot", team: { id: "T1", name: "Shoes Inc" } },
    expiresIn: 43_200,
    rotates: true,
  });
}

function handle({ method, path, body }: VendorCall): Reply | undefined {
  const { channel = "", text } = body as { channel?: string; text?: string };
  switch (`${method} ${path}`) {
    case "POST /api/auth.test":
      return {
        ...ok({
          ok: true,
          url: "https://shoes.slack.com/",
          team: "Shoes Inc",
          user: "parley",
          team_id: "T1",
        }),
        headers: { "x-oauth-scopes": "chat:write,chat:write.public" },
      };
    case "POST /api/chat.postMessage": {
      const known = CHANNELS[channel];
      if (NOBODY.includes(channel)) return slackRefusal("not_in_channel");
      if (known === undefined) return slackRefusal("channel_not_found");
      if (!text) return slackRefusal("no_text");
      return ok({ ok: true, channel: known, ts: "1767225600.000100", message: { text } });
    }
    default:
      return undefined;
  }
}

export function startFakeSlack(consents = slackConsents()): Promise<FakeVendor> {
  return FakeVendor.start({
    handle: (call) => consents.handle(call) ?? handle(call),
    refusal: (call) =>
      consents.isAbout(call) ||
      consents.isKnown(call) ||
      call.headers.authorization === `Bearer ${SLACK_TOKEN}`
        ? undefined
        : slackRefusal("invalid_auth"),
    isSpared: (call) => consents.isAbout(call),
    notFound: slackRefusal("unknown_method"),
  });
}
