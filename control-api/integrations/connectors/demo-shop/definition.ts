import type { Connector } from "../../connector.ts";
import { actions } from "./actions.ts";
import { verify } from "./verify.ts";

/** A built-in shop, so that an agent can look an order up without any account. */
export const connector: Connector = {
  id: "demo-shop",
  name: "Demo shop",
  category: "Demo",
  about: "A built-in shop with orders and appointments to try agents on; no account needed.",
  authKind: "builtin",
  docsUrl: "/docs",
  credentials: [],
  settings: [],
  identityOf: () => "demo-shop",
  authorized: () => ({}),
  verify,
  actions,
};
