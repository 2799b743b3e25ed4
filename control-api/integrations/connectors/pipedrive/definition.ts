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
  authorized: ({ apiToken = "" }) => ({ "x-api-token": apiToken }),
  verify,
  actions,
};
