import { z } from "zod";
import type { Connector } from "../../connector.ts";
import { accountUrl, secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { refusalOf } from "./refusals.ts";
import { mint, verify } from "./verify.ts";

const guid = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "an ID such as 00000000-0000-0000-0000-000000000000");

export const connector: Connector = {
  id: "dynamics",
  name: "Dynamics 365",
  category: "CRM",
  about: "Looks contacts up and saves them, adds notes, and works on cases.",
  authKind: "api_key",
  docsUrl:
    "https://learn.microsoft.com/power-apps/developer/data-platform/use-single-tenant-server-server-authentication",
  credentials: [
    {
      key: "tenantId",
      label: "Directory (tenant) ID",
      help: "Microsoft Entra → App registrations → your app → Overview.",
      schema: guid,
      isPublic: true,
    },
    {
      key: "clientId",
      label: "Application (client) ID",
      help: "On the same page. The app has to be an application user of the environment: Power Platform admin center → Settings → Users.",
      schema: guid,
      isPublic: true,
    },
    secret(
      "clientSecret",
      "Client secret",
      "Certificates & secrets → New client secret: its value, not its ID.",
    ),
  ],
  settings: [
    {
      key: "url",
      label: "Environment URL",
      help: "Power Platform admin center → Environments → Environment URL.",
      placeholder: "https://yourorg.crm4.dynamics.com",
      schema: accountUrl(/^[a-z0-9][a-z0-9-]*\.crm\d*\.dynamics\.com$/, "https://<org>.crm.dynamics.com"),
    },
  ],
  identityOf: ({ settings }) => settings.url ?? "",
  authorized: (_credentials, token) => ({
    authorization: `Bearer ${token}`,
    "odata-version": "4.0",
    "odata-maxversion": "4.0",
  }),
  mint,
  refusalOf,
  verify,
  actions,
};
