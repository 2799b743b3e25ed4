import { e164Schema } from "@parley/shared/contracts/telephony.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { Wish as MessageWish } from "../../messaging/opt-out/words.ts";
import type { Recorded, Subscription } from "../../subscriptions/subscription.ts";
import { dialable } from "../phones.ts";
import { isSpokenOptOut } from "./opt-out-words.ts";
import { deleteWished, insertNumbers } from "./store.ts";

const PHONE_CHANNELS = ["telephony", "softphone"];

/** Adds callers to the list when they opt out, by speech or by the key that the call's campaign defines. */
export const noteCallOptOuts: Subscription = {
  name: "opt_outs",
  types: ["call.message", "call.dtmf"],
  handle: async (trx, recorded) => {
    const wishes = recorded.flatMap((one) => wishOf(one));
    if (wishes.length === 0) return undefined;
    const calls = await findCalls(
      trx,
      wishes.map(({ sessionId }) => sessionId),
    );
    const listed = wishes.flatMap(({ sessionId, key }) => {
      const call = calls.get(sessionId);
      const number = call?.direction === "outbound" ? call.toNumber : call?.fromNumber;
      if (!call || !number || (key !== undefined && key !== call.optOutKey)) return [];
      return { sessionId, key, orgId: call.orgId, number: dialable(number) };
    });
    // In one order, as tables of numbers are imported.
    for (const { sessionId, key, orgId, number } of listed.toSorted((a, b) =>
      a.number < b.number ? -1 : 1,
    )) {
      const said = { source: "call", reason: "Asked for it in a call" } as const;
      const pressed = { source: "key", reason: `Pressed ${key} in a call` } as const;
      const how = key === undefined ? said : pressed;
      const at = recorded[0]?.recordedAt ?? new Date(0);
      await insertNumbers(trx, { orgId, numbers: [number], ...how, sessionId, at });
    }
    return undefined;
  },
};

interface Wish {
  readonly sessionId: string;
  /** The key pressed; undefined if the opt-out was spoken. */
  readonly key?: string;
}

function wishOf({ event }: Recorded): Wish[] {
  const { sessionId } = event;
  if (event.type === "call.dtmf") return [{ sessionId, key: event.digit }];
  if (event.type !== "call.message" || event.role !== "user" || !isSpokenOptOut(event.text)) return [];
  return [{ sessionId }];
}

async function findCalls(trx: Kysely<Tables>, sessionIds: readonly string[]) {
  const rows = await trx
    .selectFrom("calls")
    .leftJoin("campaign_attempts", "campaign_attempts.session_id", "calls.session_id")
    .leftJoin("campaigns", "campaigns.id", "campaign_attempts.campaign_id")
    .select([
      "calls.session_id as sessionId",
      "calls.org_id as orgId",
      "calls.direction",
      "calls.from_number as fromNumber",
      "calls.to_number as toNumber",
      "campaigns.settings",
    ])
    .where("calls.session_id", "in", [...sessionIds])
    .where("calls.channel", "in", PHONE_CHANNELS)
    .execute();
  return new Map(
    rows.map(({ settings, ...call }) => [
      call.sessionId,
      { ...call, optOutKey: Reflect.get(Object(settings), "optOutKey") as string | null | undefined },
    ]),
  );
}

const REASONS = {
  message: "Asked for it in a message",
  whatsapp: "Stopped marketing messages in WhatsApp",
} as const;

interface Wished {
  readonly orgId: string;
  readonly from: string | null;
  readonly wish: MessageWish;
  readonly source: keyof typeof REASONS;
  /** When the contact said so. */
  readonly at: Date;
}

/**
 * Adds a contact who wants no more messages to the list, in the transaction that stores the wish. Who wants them again is
 * taken off it, unless they asked since, or something else put them there. What they write undoes what they chose in
 * WhatsApp, too, but not the other way around: that is about marketing messages alone.
 */
export async function noteMessageWish(
  trx: Kysely<Tables>,
  { orgId, from, wish, source, at }: Wished,
): Promise<void> {
  // Providers let odd ids stand where a number is.
  if (from === null || !e164Schema.safeParse(from).success) return;
  if (wish === "out") {
    if (source === "message") await deleteWished(trx, { orgId, number: from, sources: ["whatsapp"] });
    await insertNumbers(trx, { orgId, numbers: [from], reason: REASONS[source], source, at });
    return;
  }
  const sources = source === "message" ? (["message", "whatsapp"] as const) : (["whatsapp"] as const);
  await deleteWished(trx, { orgId, number: from, sources, until: at });
}
