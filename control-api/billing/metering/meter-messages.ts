import type { Clock } from "@parley/shared/clock.ts";
import type { CountedMessages } from "@parley/shared/contracts/billing.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { chargeMeasured } from "./charge-measured.ts";
import { templateVendor } from "./template-vendor.ts";

/** Counts messages in the transaction that stores what happened to them. Never refuses: they are there. */
export type CountMessages = (trx: Kysely<Tables>, counted: CountedMessages) => Promise<void>;

export interface MessageMeterDeps {
  readonly isOn: boolean;
  readonly clock: Clock;
}

/** One row of usage for each message of a messaging channel, and its charge. */
export function countsMessages({ isOn, clock }: MessageMeterDeps): CountMessages {
  return async (trx, { messageIds, kind, ...by }) => {
    if (messageIds.length === 0) return;
    const now = new Date(clock.wallMs());
    const vendor = kind === "template" ? templateVendor(by.channel) : by.channel;
    const lines = messageIds.map((id) => ({
      source: `message ${id}`,
      metric: "messages" as const,
      vendor,
      quantity: 1n,
    }));
    await chargeMeasured(trx, lines, { ...by, at: now }, { isOn, now });
  };
}
