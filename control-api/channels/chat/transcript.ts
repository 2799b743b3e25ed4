import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { ChatTranscript } from "@parley/shared/contracts/chat.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { chatRedactorOf } from "./chat-redactor.ts";
import { chatStatusOf } from "./chat-status.ts";
import { findChat, findMessages, type StoredChat } from "./store.ts";

/** Transcript so far, including a last turn that the event projector may not have written yet. Throws not_found. */
export async function readTranscript(
  sessionId: string,
  orgId: string,
  deps: ChatDeps,
): Promise<ChatTranscript> {
  const chat = await findChat(deps.database, orgId, sessionId);
  if (!chat) throw new AppError("not_found", "There is no such chat in this organization.");
  const redactor = await chatRedactorOf(chat, { db: deps.database.db, secrets: deps.secrets });
  const isOver = chatStatusOf(chat, deps.clock.wallMs(), deps.limits) === "over";
  return {
    sessionId,
    status: isOver ? "ended" : "active",
    messages: await messagesOf(chat, redactor.preview(), deps),
  };
}

/** Messages of a chat, in order; `waiting` holds the unreleased ones. */
export async function messagesOf(
  chat: Pick<StoredChat, "sessionId" | "heldEvents">,
  waiting: readonly CallEvent[],
  { database }: Pick<ChatDeps, "database">,
): Promise<ChatTranscript["messages"]> {
  // Read after the chat: events recorded in between appear in both, and are shown once.
  const recorded = await findMessages(database, chat.sessionId);
  const known = new Set(recorded.map(({ id }) => id));
  const held = [...chat.heldEvents, ...waiting].flatMap((event) =>
    event.type === "call.message" && !known.has(event.id) ? [event] : [],
  );
  return [...recorded.map((message) => ({ ...message, at: message.at.toISOString() })), ...held]
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ role, text, at }) => ({ role, text, at }));
}
