import type { ChatTranscript } from "@parley/shared/contracts/chat.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { chatOf } from "./open-turn.ts";
import { standingOf } from "./standing.ts";
import { findMessages } from "./store.ts";

/** What was said so far, the last turn included though the recorder may not have it yet. Throws not_found. */
export async function readTranscript(
  sessionId: string,
  orgId: string,
  deps: ChatDeps,
): Promise<ChatTranscript> {
  const chat = await chatOf(orgId, sessionId, deps);
  // In this order: what is recorded in between is found in both, and shown once.
  const recorded = await findMessages(deps.database, sessionId);
  const known = new Set(recorded.map(({ id }) => id));
  const held = chat.heldEvents.flatMap((event) =>
    event.type === "call.message" && !known.has(event.id) ? [event] : [],
  );
  const messages = [...recorded.map((message) => ({ ...message, at: message.at.toISOString() })), ...held]
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ role, text, at }) => ({ role, text, at }));
  const isOver = standingOf(chat, deps.clock.wallMs(), deps.limits) === "over";
  return { sessionId, status: isOver ? "ended" : "active", messages };
}
