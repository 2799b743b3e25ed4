import { parseUrl } from "@parley/shared/urls.ts";
import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { maybe, read } from "../read.ts";

const VERSION = "v66.0";
/** Hosts that a token reply may name, so that it cannot lead tokens elsewhere. */
const INSTANCE = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.(salesforce|force)\.com$/;
const user = z.object({ organization_id: z.string(), preferred_username: maybe });
const reply = z.object({ instance_url: z.string().refine(isInstance) });

export function loginUrl({ loginUrl: own }: Readonly<Record<string, string>>): string {
  return own ?? "https://login.salesforce.com";
}

/** The organization's instance URL, which every token reply contains. */
export function instanceIn(tokens: Readonly<Record<string, unknown>>): Record<string, string> {
  const { data } = reply.safeParse(tokens);
  return data ? { instanceUrl: new URL(data.instance_url).origin } : {};
}

export async function verify(context: ConnectorContext): Promise<Verified> {
  const { body } = await context.vendor.send({ url: `${instanceOf(context)}/services/oauth2/userinfo` });
  const { organization_id: organizationId, preferred_username: name } = read(user, body);
  return { account: name ?? organizationId, facts: { ...context.facts, organizationId } };
}

/** The base URL of the data API. */
export function dataUrl(context: ConnectorContext): string {
  return `${instanceOf(context)}/services/data/${VERSION}`;
}

/** Throws `VendorError` unauthorized before a consent has named the instance. */
export function instanceOf({ facts }: ConnectorContext): string {
  if (facts.instanceUrl !== undefined) return facts.instanceUrl;
  throw new VendorError(
    "unauthorized",
    "Salesforce did not say where this organization is; authorize again.",
  );
}

function isInstance(url: string): boolean {
  const address = parseUrl(url);
  return address?.protocol === "https:" && INSTANCE.test(address.host);
}
