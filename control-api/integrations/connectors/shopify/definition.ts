import { z } from "zod";
import type { Connector } from "../../connector.ts";
import { secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { refusalOf } from "./graphql.ts";
import { mint, verify } from "./verify.ts";

const APP_FORM = "App credentials";
const TOKEN_FORM = "Access token";

const shop = z
  .string()
  .trim()
  .overwrite((value) =>
    value
      .toLowerCase()
      .replace(/^https?:\/\//, "")
      .replace(/\/.*$/, ""),
  )
  .regex(/^[a-z0-9][a-z0-9-]*\.myshopify\.com$/, "the shop's domain, <name>.myshopify.com");

export const connector: Connector = {
  id: "shopify",
  name: "Shopify",
  category: "E-commerce",
  about: "Looks orders up by number, email or phone, with items and tracking.",
  authKind: "api_key",
  docsUrl: "https://shopify.dev/docs/apps/build/authentication-authorization",
  credentials: [
    {
      key: "clientId",
      label: "Client ID",
      help: "Dev Dashboard → your app → Settings. The app needs the scopes read_orders and read_customers, and read_all_orders for orders older than 60 days.",
      isPublic: true,
      form: APP_FORM,
    },
    secret("clientSecret", "Client secret", "Beside the client ID.", APP_FORM),
    secret(
      "accessToken",
      "Admin API access token",
      "Of a custom app made before 2026 (shpat_…); Shopify creates no new ones.",
      TOKEN_FORM,
    ),
  ],
  settings: [
    {
      key: "shop",
      label: "Shop domain",
      help: "The domain that Shopify gave the shop, not your own.",
      placeholder: "your-shop.myshopify.com",
      schema: shop,
    },
  ],
  identityOf: ({ settings }) => settings.shop ?? "",
  authorized: (_credentials, token) => ({ "x-shopify-access-token": token ?? "" }),
  mint,
  refusalOf,
  verify,
  actions,
};
