import type { Connector } from "../../connector.ts";
import { secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { verify } from "./verify.ts";

export const connector: Connector = {
  id: "pipedrive",
  name: "Pipedrive",
  category: "CRM",
  about: "Looks contacts up, saves them, and adds notes.",
  authKind: "api_key",
  docsUrl: "https://pipedrive.readme.io/docs/how-to-find-the-api-token",
  credentials: [
    secret(
      "apiToken",
      "API token",
      "Your name, top right → Company settings → Personal preferences → API. What it may do is what its user may do.",
    ),
  ],
  settings: [],
  apiHosts: () => ["api.pipedrive.com"],
  authorized: ({ apiToken }, token): Record<string, string> =>
    apiToken === undefined ? { authorization: `Bearer ${token}` } : { "x-api-token": apiToken },
  oauth: {
    authorizeUrl: () => "https://oauth.pipedrive.com/oauth/authorize",
    tokenUrl: () => "https://oauth.pipedrive.com/oauth/token",
    revokeUrl: () => "https://oauth.pipedrive.com/oauth/revoke",
    // The operator's app defines them: base, and contacts with full access.
    scopes: [],
    clientSecretIn: "basic",
  },
  verify,
  actions,
};
