import type { Connector } from "../../connector.ts";
import { secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { refusalOf } from "./refusals.ts";
import { verify } from "./verify.ts";

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
  authorized: ({ botToken }) => ({ authorization: `Bearer ${botToken}` }),
  refusalOf,
  verify,
  actions,
};
