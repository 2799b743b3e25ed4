import type { Connector } from "../../connector.ts";
import { secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { API, verify } from "./verify.ts";

export const connector: Connector = {
  id: "hubspot",
  name: "HubSpot",
  category: "CRM",
  about: "Looks contacts up, saves them, adds notes, and works on tickets.",
  authKind: "api_key",
  docsUrl: "https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/overview",
  credentials: [
    secret(
      "accessToken",
      "Service key",
      "Settings → Account Setup → Integrations → Service Keys; the access token of an older private app works, too. Scopes: crm.objects.contacts.read and .write, tickets.",
    ),
  ],
  settings: [],
  apiHosts: () => ["api.hubapi.com"],
  authorized: ({ accessToken }, token) => ({ authorization: `Bearer ${accessToken ?? token}` }),
  oauth: {
    authorizeUrl: () => "https://app.hubspot.com/oauth/authorize",
    tokenUrl: () => `${API}/oauth/2026-03/token`,
    revokeUrl: () => `${API}/oauth/2026-03/token/revoke`,
    scopes: ["oauth", "crm.objects.contacts.read", "crm.objects.contacts.write", "tickets"],
  },
  verify,
  actions,
};
