import { z } from "zod";
import type { ConnectorContext } from "../../connector.ts";
import {
  type VendorAnswer,
  VendorError,
  type VendorProblem,
  type VendorRefusal,
} from "../../vendor/vendor.ts";

const errorsSchema = z.object({
  errors: z.array(
    z.object({ message: z.string(), extensions: z.object({ code: z.string().nullish() }).nullish() }),
  ),
});
const PROBLEMS: Readonly<Record<string, VendorProblem>> = {
  THROTTLED: "rate_limited",
  ACCESS_DENIED: "denied",
};

/** Shopify reports query errors with status 200. */
export function refusalOf({ body }: VendorAnswer): VendorRefusal | undefined {
  const parsed = errorsSchema.safeParse(body);
  const [error] = parsed.data?.errors ?? [];
  if (!error) return undefined;
  return { problem: PROBLEMS[error.extensions?.code ?? ""] ?? "rejected", words: error.message };
}

/** Returns the data of one query. */
export async function query(
  { vendor, settings }: ConnectorContext,
  text: string,
  variables: Record<string, unknown> = {},
): Promise<unknown> {
  const { body } = await vendor.send({
    method: "POST",
    url: `https://${settings.shop}/admin/api/2026-10/graphql.json`,
    json: { query: text, variables },
  });
  const data = (body as { data?: unknown } | undefined)?.data;
  if (data === undefined || data === null) throw new VendorError("failed", "Shopify answered no data.");
  return data;
}

/** A quoted search value, so that it stays one value whatever it contains. */
export function quoted(value: string): string {
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
