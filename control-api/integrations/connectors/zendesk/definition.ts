import { z } from "zod";
import type { Connector } from "../../connector.ts";
import { accountUrl, basic, secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { refusalOf, verify } from "./verify.ts";

const TOKEN_FORM = "API token";
const OAUTH_FORM = "OAuth access token";

export const connector: Connector = {
  id: "zendesk",
  name: "Zendesk",
  category: "Help desk",
  about: "Looks tickets up, opens them and comments on them.",
  authKind: "basic",
  docsUrl: "https://developer.zendesk.com/api-reference/introduction/security-and-auth/",
  credentials: [
    {
      key: "email",
      label: "Email of an agent",
      help: "Whose name comments are written in.",
      schema: z.email(),
      isPublic: true,
      form: TOKEN_FORM,
    },
    secret(
      "apiToken",
      "API token",
      "Admin Center → Apps and integrations → APIs → API tokens. Zendesk creates no new ones since October 2026, and all end on April 30, 2027.",
      TOKEN_FORM,
    ),
    secret(
      "accessToken",
      "OAuth access token",
      "Admin Center → Apps and integrations → APIs → OAuth clients; with the scopes read and write.",
      OAUTH_FORM,
    ),
  ],
  settings: [
    {
      key: "url",
      label: "Zendesk address",
      help: "The address that your agents sign in at.",
      placeholder: "https://yourcompany.zendesk.com",
      schema: accountUrl(/^[a-z0-9][a-z0-9-]*\.zendesk\.com$/, "https://<subdomain>.zendesk.com", {
        orHost: false,
      }),
    },
  ],
  identityOf: ({ settings }) => settings.url ?? "",
  apiHosts: ({ settings: { url } }) => (url === undefined ? [] : [new URL(url).hostname]),
  authorized: ({ email, apiToken, accessToken }, token) => ({
    authorization:
      apiToken === undefined ? `Bearer ${accessToken ?? token}` : basic(`${email}/token`, apiToken),
  }),
  oauth: {
    authorizeUrl: ({ url }) => `${url}/oauth/authorizations/new`,
    tokenUrl: ({ url }) => `${url}/oauth/tokens`,
    revokeUrl: ({ url }) => `${url}/api/v2/oauth/tokens/current.json`,
    revokesBy: "DELETE",
    scopes: ["read", "write"],
  },
  refusalOf,
  verify,
  actions,
};
