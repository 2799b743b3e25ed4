import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import type { VendorAnswer, VendorRefusal } from "../../vendor/vendor.ts";
import { id, maybe, read } from "../read.ts";

const me = z.object({ user: z.object({ id, name: maybe, role: maybe }) });
const anonymous = z.object({ user: z.object({ id: z.null() }) });
const TOKENS_END =
  "Zendesk turns API tokens off on April 30, 2027; connect with an OAuth access token before that.";

export async function verify({ vendor, settings, credentials }: ConnectorContext): Promise<Verified> {
  const { body } = await vendor.send({ url: `${settings.url}/api/v2/users/me.json` });
  const { user } = read(me, body);
  return {
    account: new URL(settings.url ?? "").host,
    warnings: [
      ...(credentials.apiToken === undefined ? [] : [TOKENS_END]),
      ...(user.role === "end-user" ? ["This user is no agent: tickets cannot be changed."] : []),
    ],
  };
}

/** Zendesk treats unknown credentials as an anonymous user, with status 200. */
export function refusalOf({ body }: VendorAnswer): VendorRefusal | undefined {
  return anonymous.safeParse(body).success ? { problem: "unauthorized" } : undefined;
}
