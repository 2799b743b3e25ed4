import type { Delivery, deliveriesQuerySchema } from "@parley/shared/contracts/webhooks.ts";
import { isId } from "@parley/shared/ids.ts";
import type { z } from "zod";
import type { Database } from "../database/open.ts";
import { type DeliveryCursor, type DeliveryFilter, listDeliveries } from "./delivery-store.ts";

type Query = z.infer<typeof deliveriesQuerySchema>;

interface Page {
  readonly deliveries: Delivery[];
  /** Deliveries on this page. */
  readonly total: number;
  readonly nextBefore: string | null;
}

/** A page of an endpoint's deliveries, newest first. */
export async function pageOfDeliveries(
  endpointId: string,
  { before, search, limit, ...filter }: Query,
  { actor: { orgId }, database }: { actor: { orgId: string }; database: Database },
): Promise<Page> {
  const only = search === undefined ? undefined : await soughtBy(database, orgId, search);
  const wanted = { ...filter, only, before: before === undefined ? undefined : cursorOf(before) };
  // One more than shown, to detect a next page.
  const found = await listDeliveries(database, endpointId, { ...wanted, limit: limit + 1 });
  const deliveries = found.slice(0, limit);
  const last = deliveries.at(-1);
  return {
    deliveries,
    total: deliveries.length,
    nextBefore: found.length > limit && last ? `${Date.parse(last.createdAt)}.${last.id}` : null,
  };
}

/** Parses a cursor in the contract's form. */
function cursorOf(text: string): DeliveryCursor {
  const dot = text.indexOf(".");
  return { createdAt: new Date(Number(text.slice(0, dot))), id: text.slice(dot + 1) };
}

/** Searches by the id of a delivery, session or call; other text matches nothing. */
async function soughtBy({ db }: Database, orgId: string, text: string): Promise<DeliveryFilter["only"]> {
  if (isId("dlv", text)) return { id: text };
  if (!isId("cal", text)) return { sessionId: text };
  const call = await db
    .selectFrom("calls")
    .select("session_id")
    .where("id", "=", text)
    .where("org_id", "=", orgId)
    .executeTakeFirst();
  return { sessionId: call?.session_id ?? text };
}
