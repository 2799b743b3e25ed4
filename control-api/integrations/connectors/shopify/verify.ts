import { z } from "zod";
import type { ConnectorContext, MintedToken, Verified } from "../../connector.ts";
import { read } from "../read.ts";
import { query } from "./graphql.ts";

const tokenSchema = z.object({ access_token: z.string(), expires_in: z.number().nullish() });
const DAY_SECS = 86_400;
const shopSchema = z.object({
  shop: z.object({ name: z.string(), myshopifyDomain: z.string() }),
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
});

/** Exchanges an app's credentials for a one-day token; a legacy token is used as it is. */
export async function mint({ vendor, credentials, settings }: ConnectorContext): Promise<MintedToken> {
  const { accessToken, clientId = "", clientSecret = "" } = credentials;
  if (accessToken !== undefined) return { token: accessToken, expiresInSecs: DAY_SECS };
  const { body } = await vendor.send({
    method: "POST",
    url: `https://${settings.shop}/admin/oauth/access_token`,
    form: { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret },
    isAnonymous: true,
  });
  const { access_token, expires_in } = read(tokenSchema, body);
  return { token: access_token, expiresInSecs: expires_in ?? DAY_SECS };
}

export async function verify(context: ConnectorContext): Promise<Verified> {
  const data = await query(
    context,
    "{ shop { name myshopifyDomain } currentAppInstallation { accessScopes { handle } } }",
  );
  const { shop, currentAppInstallation } = read(shopSchema, data);
  const scopes = currentAppInstallation.accessScopes.map(({ handle }) => handle);
  const warnings = ["read_orders", "read_customers"]
    .filter((scope) => !scopes.includes(scope))
    .map((scope) => `The scope ${scope} is missing: add it to the app.`);
  if (!scopes.includes("read_all_orders"))
    warnings.push("Orders older than 60 days are not found (read_all_orders).");
  return { account: shop.name, warnings };
}
