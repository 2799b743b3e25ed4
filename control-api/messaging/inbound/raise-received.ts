import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { raiseOrgEvent } from "../../webhooks/raise-org-event.ts";

/** Event data of an inbound message. */
export interface Received {
  readonly orgId: string;
  readonly channelId: string;
  /** Null for senders that the organization brought along. */
  readonly channelPhone: string | null;
  readonly threadId: string;
  readonly messageId: string;
  readonly wamid: string;
  readonly from: string;
  readonly contactName: string | null;
  readonly type: string;
  readonly body: string | null;
  readonly content: unknown;
  /** Null for text. */
  readonly media: unknown;
  readonly sentAt: Date;
  readonly raw: unknown;
}

/** Raises `whatsapp.message.received`. */
export async function raiseReceived(trx: Kysely<Tables>, received: Received, at: Date): Promise<void> {
  const { sentAt, orgId, ...told } = received;
  await raiseOrgEvent(trx, {
    orgId,
    at,
    event: {
      event: "whatsapp.message.received",
      ...told,
      timestamp: sentAt.toISOString(),
    },
  });
}
