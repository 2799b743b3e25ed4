import { parseUrl } from "@parley/shared/urls.ts";
import { z } from "zod";
import type { Connector } from "../../connector.ts";
import { basic } from "../fields.ts";
import { actions } from "./actions.ts";
import { refusalOf } from "./refusals.ts";
import { verify } from "./verify.ts";

/** A store's URL; it may lie in a folder of its host. */
const store = z
  .string()
  .trim()
  .overwrite((value) => {
    const address = /^https?:\/\//i.test(value) ? value : `https://${value}`;
    const url = parseUrl(address);
    if (!url) return value;
    const { protocol, host, pathname } = url;
    return `${protocol}//${host}${pathname.replace(/\/wp-(json|admin)\b.*$/, "").replace(/\/+$/, "")}`;
  })
  .refine(
    (value) => parseUrl(value)?.protocol === "https:",
    "the store's address with https: keys are not sent without it",
  );

const key = (prefix: string) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^${prefix}_[0-9a-zA-Z]{1,64}$`), `a key that begins with ${prefix}_`);

export const connector: Connector = {
  id: "woocommerce",
  name: "WooCommerce",
  category: "E-commerce",
  about: "Looks orders up by number, email or phone, with items and tracking.",
  authKind: "basic",
  docsUrl: "https://woocommerce.com/document/woocommerce-rest-api/",
  credentials: [
    {
      key: "consumerKey",
      label: "Consumer key",
      help: "WooCommerce → Settings → Advanced → REST API → Add key (ck_…), with the permission Read.",
      schema: key("ck"),
    },
    {
      key: "consumerSecret",
      label: "Consumer secret",
      help: "Shown once, beside the key (cs_…).",
      schema: key("cs"),
    },
  ],
  settings: [
    {
      key: "url",
      label: "Store address",
      help: "The address of the store's WordPress, including its folder if it has one.",
      placeholder: "https://example.com/shop",
      schema: store,
    },
  ],
  identityOf: ({ settings }) => settings.url ?? "",
  authorized: ({ consumerKey = "", consumerSecret = "" }) => ({
    authorization: basic(consumerKey, consumerSecret),
  }),
  refusalOf,
  verify,
  actions,
};
