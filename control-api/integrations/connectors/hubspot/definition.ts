import type { Connector } from "../../connector.ts";
import { secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { verify } from "./verify.ts";

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
  authorized: ({ accessToken }) => ({ authorization: `Bearer ${accessToken}` }),
  verify,
  actions,
};
