import { parseUrl } from "@parley/shared/urls.ts";
import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { maybe, read } from "../read.ts";

const VERSION = "v66.0";
/** Where an organization's own host is; it is named by a reply, and must not lead tokens elsewhere. */
const INSTANCE = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.(salesforce|force)\.com$/;
const user = z.object({ organization_id: z.string(), preferred_username: maybe });
const reply = z.object({ instance_url: z.string().refine(isInstance) });

export function loginUrl({ loginUrl: own }: Readonly<Record<string, string>>): string {
  return own ?? "https://login.salesforce.com";
}

/** The address of the organization, as each reply with tokens has it. */
export function instanceIn(tokens: Readonly<Record<string, unknown>>): Record<string, string> {
  const { data } = reply.safeParse(tokens);
  return data ? { instanceUrl: new URL(data.instance_url).origin } : {};
}

export async function verify(context: ConnectorContext): Promise<Verified> {
  const { body } = await context.vendor.send({ url: `${instanceOf(context)}/services/oauth2/userinfo` });
  const { organization_id: organizationId, preferred_username: name } = read(user, body);
  return { account: name ?? organizationId, facts: { ...context.facts, organizationId } };
}

/** The address of its data. */
export function dataUrl(context: ConnectorContext): string {
  return `${instanceOf(context)}/services/data/${VERSION}`;
}

/** Throws `VendorError` unauthorized when no consent has named it. */
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
