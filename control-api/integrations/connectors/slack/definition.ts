import type { Connector } from "../../connector.ts";
import { secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { refusalOf } from "./refusals.ts";
import { API, verify } from "./verify.ts";

export const connector: Connector = {
  id: "slack",
  name: "Slack",
  category: "Messaging",
  about: "Posts messages to channels and people of a workspace.",
  authKind: "api_key",
  docsUrl: "https://docs.slack.dev/authentication/tokens#bot",
  credentials: [
    secret(
      "botToken",
      "Bot token",
      "api.slack.com/apps → your app → OAuth & Permissions → Bot User OAuth Token (xoxb-…). Scopes: chat:write, and chat:write.public for public channels that the app was not invited to.",
    ),
  ],
  settings: [],
  apiHosts: () => ["slack.com"],
  authorized: ({ botToken }, token) => ({ authorization: `Bearer ${botToken ?? token}` }),
  oauth: {
    authorizeUrl: () => "https://slack.com/oauth/v2/authorize",
    tokenUrl: () => `${API}/oauth.v2.access`,
    revokeUrl: () => `${API}/auth.revoke`,
    revokesBy: "POST",
    scopes: ["chat:write", "chat:write.public"],
    scopeSeparator: ",",
  },
  refusalOf,
  verify,
  actions,
};
