import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { MessagingDeps } from "../deps.ts";
import type { MessageRow } from "../threads/message-store.ts";

/** States before the provider has taken a message. */
const NOT_TAKEN = new Set(["queued", "sending", "unknown"]);

/** Counts a message when its provider takes it: who answers first, the request or a status, does not matter. */
export async function countSent(
  trx: Kysely<Tables>,
  message: MessageRow,
  next: string,
  { countMessages }: Pick<MessagingDeps, "countMessages">,
): Promise<void> {
  if (!NOT_TAKEN.has(message.status) || NOT_TAKEN.has(next) || next === "failed") return;
  const { id, org_id: orgId, session_id: sessionId, author, author_id: authorId, type } = message;
  const { campaign_id: campaignId } = message;
  const { provider: channel } = await trx
    .selectFrom("messaging_channels")
    .select("provider")
    .where("id", "=", message.channel_id)
    .executeTakeFirstOrThrow();
  await countMessages(trx, {
    ...{ orgId, sessionId, channel },
    agentId: author === "agent" ? authorId : null,
    ...(campaignId !== "" && { campaignId }),
    keyId: author === "key" ? (authorId ?? "") : "",
    kind: type === "template" ? "template" : "conversation",
    messageIds: [id],
  });
}
