import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { id, maybe, read } from "../read.ts";

export const API = "https://api.cal.com/v2";

const me = z.object({ data: z.object({ username: maybe, email: z.string() }) });
const eventTypes = z.object({ data: z.array(z.object({ id, title: maybe })) });

/** Records the event type to book, and whose email moves appointments without a confirmation. */
export async function verify({ vendor, settings }: ConnectorContext): Promise<Verified> {
  const { username, email } = read(me, (await vendor.send({ url: `${API}/me` })).body).data;
  const types = await vendor.send({
    url: `${API}/event-types`,
    query: { username: username ?? undefined },
    headers: { "cal-api-version": "2024-06-14" },
  });
  const known = read(eventTypes, types.body).data;
  const wanted = settings.eventTypeId ?? known[0]?.id;
  const isKnown = known.some((type) => type.id === wanted);
  if (wanted === undefined)
    throw new VendorError("rejected", "This Cal.com account has no event type yet; create one.");
  const warnings = isKnown
    ? []
    : [`The event type ${wanted} is not among this account's own; bookings may fail.`];
  return { account: email, warnings, facts: { eventTypeId: wanted, ownerEmail: email } };
}
