import { z } from "zod";
import type { ConnectorContext, MintedToken, Verified } from "../../connector.ts";
import { read, segment } from "../read.ts";

const HOUR_SECS = 3_600;
const tokenSchema = z.object({ access_token: z.string(), expires_in: z.coerce.number().nullish() });
const whoAmI = z.object({ OrganizationId: z.string() });

/** Exchanges an app's credentials for a one-hour token; only they can renew it. */
export async function mint({ vendor, credentials, settings }: ConnectorContext): Promise<MintedToken> {
  const { tenantId = "", clientId = "", clientSecret = "" } = credentials;
  const { body } = await vendor.send({
    method: "POST",
    url: `https://login.microsoftonline.com/${segment(tenantId)}/oauth2/v2.0/token`,
    form: {
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
      scope: `${settings.url}/.default`,
    },
    isAnonymous: true,
  });
  const { access_token: token, expires_in } = read(tokenSchema, body);
  return { token, expiresInSecs: expires_in ?? HOUR_SECS };
}

export async function verify(context: ConnectorContext): Promise<Verified> {
  const { body } = await context.vendor.send({ url: `${apiOf(context)}/WhoAmI` });
  const { OrganizationId: organizationId } = read(whoAmI, body);
  return { account: new URL(context.settings.url ?? "").host, facts: { organizationId } };
}

export function apiOf({ settings }: ConnectorContext): string {
  return `${settings.url}/api/data/v9.2`;
}
