import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { maybe, read } from "../read.ts";

export const API = "https://api.stripe.com/v1";

const accountSchema = z.object({
  id: z.string(),
  charges_enabled: z.boolean().nullish(),
  settings: z.object({ dashboard: z.object({ display_name: maybe }).nullish() }).nullish(),
});

/** A restricted key may not read its account; then it must be able to read the balance. */
export async function verify({ vendor, credentials }: ConnectorContext): Promise<Verified> {
  const warnings = credentials.apiKey?.includes("_test_")
    ? ["This is a test key: it sees test payments only."]
    : [];
  try {
    const { body } = await vendor.send({ url: `${API}/account` });
    const { id, charges_enabled, settings } = read(accountSchema, body);
    if (charges_enabled === false) warnings.push("This account cannot take payments yet.");
    return { account: settings?.dashboard?.display_name ?? id, warnings };
  } catch (error) {
    if (!(error instanceof VendorError) || error.problem !== "denied") throw error;
    await vendor.send({ url: `${API}/balance` });
    return { warnings };
  }
}
