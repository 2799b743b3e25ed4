import { toTimestamp } from "@parley/shared/clock.ts";
import type { EventName, EventPayload } from "@parley/shared/contracts/event-catalog/catalog.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import { insertDeliveries } from "./delivery-store.ts";
import { selectEnabledEndpoints } from "./endpoint-store.ts";
import { deliveriesOf } from "./raise.ts";

type OrgEventName = Extract<EventName, `billing.${string}` | `whatsapp.${string}`>;
/** An organization's event, as its district raises it. */
export type OrgEvent<E extends OrgEventName = OrgEventName> = E extends OrgEventName
  ? EventPayload<E> extends infer P
    ? P extends object
      ? Omit<P, "orgId" | "occurredAt">
      : never
    : never
  : never;

/** Raises an organization's event in the transaction in which it happens. Announce it after the commit. */
export async function raiseOrgEvent(
  trx: Kysely<Tables>,
  { orgId, at, event }: { readonly orgId: string; readonly at: Date; readonly event: OrgEvent },
): Promise<void> {
  const endpoints = await selectEnabledEndpoints(trx, [orgId], at);
  const { event: name, ...rest } = event;
  const payload = {
    event: name,
    orgId,
    occurredAt: toTimestamp(at.getTime()),
    ...rest,
  } as EventPayload<OrgEventName>;
  await insertDeliveries(
    trx,
    await deliveriesOf({ orgId, event: name, at, payload: () => payload }, endpoints),
  );
}
