import type { Connector } from "../../connector.ts";
import { accountUrl } from "../fields.ts";
import { actions } from "./actions.ts";
import { refusalOf } from "./refusals.ts";
import { instanceIn, loginUrl, verify } from "./verify.ts";

export const connector: Connector = {
  id: "salesforce",
  name: "Salesforce",
  category: "CRM",
  about: "Looks contacts up and saves them, and logs notes with them.",
  authKind: "oauth2",
  docsUrl: "https://help.salesforce.com/s/articleView?id=xcloud.create_a_local_external_client_app.htm",
  credentials: [],
  settings: [
    {
      key: "loginUrl",
      label: "Login address",
      help: "Where your people sign in: a sandbox's https://test.salesforce.com, or your My Domain. Empty: https://login.salesforce.com.",
      placeholder: "https://yourcompany.my.salesforce.com",
      isOptional: true,
      schema: accountUrl(
        /^(login|test|[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)?\.my)\.salesforce\.com$/,
        "login.salesforce.com, test.salesforce.com or a My Domain, <name>.my.salesforce.com",
      ),
    },
  ],
  apiHosts: ({ facts: { instanceUrl } }) =>
    instanceUrl === undefined ? [] : [new URL(instanceUrl).hostname],
  authorized: (_credentials, token) => ({ authorization: `Bearer ${token}` }),
  oauth: {
    authorizeUrl: (settings) => `${loginUrl(settings)}/services/oauth2/authorize`,
    tokenUrl: (settings) => `${loginUrl(settings)}/services/oauth2/token`,
    revokeUrl: (settings) => `${loginUrl(settings)}/services/oauth2/revoke`,
    scopes: ["api", "refresh_token"],
    factsOf: instanceIn,
  },
  refusalOf,
  verify,
  actions,
};
