import { messageOf } from "@parley/shared/errors.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { handOver } from "./chat-events.ts";
import { chatRedactorOf, nextSeqOf, unsentColumns } from "./chat-redactor.ts";
import { isLeased, reasonToFinalize } from "./chat-status.ts";
import { finalize } from "./finalize.ts";
import {
  findDueChats,
  findHoldingChats,
  findWaitingChats,
  lockFreeChat,
  selectUnrecorded,
  updateChat,
} from "./store.ts";

export const SWEEP_EVERY_MS = 3_000;
/** How long the event projector gets before events are published again; it deduplicates. */
const RECORDED_WITHIN_MS = 10_000;

/**
 * Finalizes abandoned chats: idle ones, old ones, and those whose process died mid-reply. Publishes again what did not
 * reach the record. Row locks let one of several processes do the work.
 */
export class ChatSweeper {
  readonly #deps: ChatDeps;

  constructor(deps: ChatDeps) {
    this.#deps = deps;
  }

  async sweep(): Promise<void> {
    const { database, clock, limits } = this.#deps;
    await this.#each(await findDueChats(database, clock.wallMs(), limits), (id) => this.#finalize(id));
    await this.#each(await findWaitingChats(database, new Date(clock.wallMs())), (id) => this.#release(id));
    const handedBefore = new Date(clock.wallMs() - RECORDED_WITHIN_MS);
    await this.#each(await findHoldingChats(database, handedBefore), (id) => this.#handOverAgain(id));
  }

  /** A chat that cannot be swept does not block the others. */
  async #each(sessionIds: readonly string[], sweep: (sessionId: string) => Promise<void>): Promise<void> {
    for (const sessionId of sessionIds) {
      await sweep(sessionId).catch((error: unknown) =>
        this.#deps.log.warn(
          { event: "chat_end_failed", sessionId, err: messageOf(error) },
          "failed to end an idle chat, trying again",
        ),
      );
    }
  }

  async #finalize(sessionId: string): Promise<void> {
    const { database, clock, limits, secrets } = this.#deps;
    const events = await database.db.transaction().execute(async (trx) => {
      const chat = await lockFreeChat(trx, sessionId);
      const nowMs = clock.wallMs();
      const reason = chat && reasonToFinalize(chat, nowMs, limits);
      return chat && reason ? finalize(trx, chat, { reason, nowMs, secrets }) : [];
    });
    await handOver(events, this.#deps);
  }

  /** Releases held messages that nobody continued. */
  async #release(sessionId: string): Promise<void> {
    const { database, clock, secrets } = this.#deps;
    const events = await database.db.transaction().execute(async (trx) => {
      const chat = await lockFreeChat(trx, sessionId);
      const nowMs = clock.wallMs();
      // The message being answered may be the continuation.
      if (!chat || isLeased(chat, nowMs)) return [];
      const redactor = await chatRedactorOf(chat, { db: trx, secrets });
      const released = redactor.takeAll();
      await updateChat(trx, sessionId, {
        ...unsentColumns(redactor, { sessionId, nowMs, secrets }),
        next_seq: nextSeqOf(chat, secrets),
        held_events: JSON.stringify([...chat.heldEvents, ...released]),
        handed_at: new Date(nowMs),
      });
      return released;
    });
    await handOver(events, this.#deps);
  }

  async #handOverAgain(sessionId: string): Promise<void> {
    const { database, clock } = this.#deps;
    const events = await database.db.transaction().execute(async (trx) => {
      const chat = await lockFreeChat(trx, sessionId);
      if (!chat) return [];
      const unrecorded = await selectUnrecorded(trx, chat.heldEvents);
      await updateChat(trx, sessionId, {
        held_events: JSON.stringify(unrecorded),
        handed_at: new Date(clock.wallMs()),
      });
      return unrecorded;
    });
    await handOver(events, this.#deps);
  }
}
