import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import { agentsEndReason } from "@parley/shared/contracts/call-status.ts";
import type { ChatReply, ChatTurn } from "@parley/shared/contracts/chat.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import { askBrain, NOBODY } from "./answer.ts";
import type { Answer, Listener } from "./answer-parts.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { eventsOfTurn, handOver } from "./chat-events.ts";
import { placeColumn } from "./chat-place.ts";
import { chatRedactorOf, nextSeqOf, unsentColumns } from "./chat-redactor.ts";
import { finalize } from "./finalize.ts";
import { type ChatCaller, LEASE_MS, type OpenedTurn, openTurn } from "./open-turn.ts";
import { lockChat, releaseLease, renewLease, type Trx, updateChat } from "./store.ts";

const RENEW_EVERY_MS = LEASE_MS / 3;
const NOTHING_FOLLOWS: OnKept = async () => undefined;

/** Takes the floor, and counts refusals. Throws what `openTurn` throws. */
export async function beginTurn(input: ChatTurn, caller: ChatCaller, deps: ChatDeps): Promise<OpenedTurn> {
  try {
    return await openTurn(input, caller, deps);
  } catch (error) {
    countFailure(error, deps);
    throw error;
  }
}

/**
 * Runs in the transaction that keeps a turn, with its answer, so that its effects are written exactly once. Throwing
 * discards the turn.
 */
export type OnKept = (trx: Trx, answer: Answer) => Promise<void>;

/**
 * Generates the reply and keeps the turn. A failed turn is not kept, so the same message may be sent again; a turn
 * whose listener left is kept as far as it came. Throws `AppError` brain_failed, deadline_exceeded, response_too_large,
 * conflict (another process took the floor meanwhile).
 */
export function answerTurn(
  turn: OpenedTurn,
  deps: ChatDeps,
  listener: Listener = NOBODY,
  onKept: OnKept = NOTHING_FOLLOWS,
): Promise<ChatReply> {
  return deps.inFlight.track(turn.orgId, answer(turn, deps, { listener, onKept }));
}

interface Following {
  readonly listener: Listener;
  readonly onKept: OnKept;
}

async function answer(turn: OpenedTurn, deps: ChatDeps, { listener, onKept }: Following): Promise<ChatReply> {
  const stopRenewing = renew(turn, deps);
  const spent: ModelTokens[] = [];
  try {
    const given = await askBrain(turn, { ...deps, spent }, listener);
    const isNothing = given.reply === "" && given.tools.length === 0;
    if (given.isInterrupted && isNothing) await giveUp(turn, spent, deps);
    else await keep(turn, given, deps, onKept);
    deps.metrics.chatTurnsTotal.inc({ outcome: given.isInterrupted ? "interrupted" : "answered" });
    deps.metrics.chatTurnSeconds.observe(given.tookMs / 1_000);
    return toReply(turn, given);
  } catch (error) {
    await giveUp(turn, spent, deps);
    countFailure(error, deps);
    throw error;
  } finally {
    stopRenewing();
  }
}

function toReply({ sessionId, identifier, turn }: OpenedTurn, { reply, tools, isEnded }: Answer): ChatReply {
  return { sessionId, identifier, turn, reply, toolCalls: [...tools], ...(isEnded ? { ended: true } : {}) };
}

/** Keeps the turn, along with its events until they are recorded. */
async function keep(turn: OpenedTurn, answer: Answer, deps: ChatDeps, onKept: OnKept): Promise<void> {
  const { database, clock, secrets } = deps;
  const { sessionId } = turn;
  const events = await database.db.transaction().execute(async (trx) => {
    const chat = await lockChat(trx, sessionId);
    if (chat?.leaseId !== turn.leaseId) {
      throw new AppError(
        "conflict",
        "Another message was sent to this chat at the same time. Send this one again.",
      );
    }
    await onKept(trx, answer);
    const nowMs = clock.wallMs();
    const firstSeq = nextSeqOf(chat, secrets);
    const added = eventsOfTurn({ ...chat, nextSeq: firstSeq }, turn, answer, nowMs);
    const redactor = await chatRedactorOf(chat, { db: trx, secrets });
    redactor.add(added);
    const sent = redactor.take();
    const heldEvents = [...chat.heldEvents, ...sent];
    const nextSeq = firstSeq + added.length;
    const lastEventAt = new Date(added.at(-1)?.at ?? nowMs);
    const heard = answer.isInterrupted
      ? JSON.stringify({
          turn: turn.turn,
          text: redactor.heard(answer.reply),
          interruptedAtMs: Math.round(answer.tookMs),
        })
      : null;
    const waiting = unsentColumns(redactor, { sessionId, nowMs, secrets });
    const place = placeColumn(turn.sessionId, answer.place, secrets);
    await updateChat(trx, sessionId, {
      turns: turn.turn,
      next_seq: nextSeq,
      last_event_at: lastEventAt,
      lease_id: null,
      lease_until: null,
      active_at: new Date(nowMs),
      held_events: JSON.stringify(heldEvents),
      handed_at: new Date(nowMs),
      heard,
      ...waiting,
      ...place,
    });
    const endReason = answer.isEnded ? agentsEndReason(answer.brain) : chat.endReason;
    if (endReason === null) return sent;
    const kept = { ...chat, heldEvents, nextSeq, lastEventAt, unsent: waiting.unsent, ...place };
    return finalize(trx, kept, { reason: endReason, nowMs, secrets });
  });
  await handOver(events, deps);
}

/** Renews the lease while the reply is being generated. */
function renew(turn: OpenedTurn, { database, clock, log }: ChatDeps): () => void {
  return clock.every(RENEW_EVERY_MS, () => {
    renewLease(database, turn, new Date(clock.wallMs() + LEASE_MS)).catch((error: unknown) => {
      log.warn(
        { event: "chat_lease_not_renewed", sessionId: turn.sessionId, err: messageOf(error) },
        "failed to renew a chat's lease",
      );
    });
  });
}

/** Discards the turn, and a first turn's chat. No event reports its model usage, so that is counted here. */
async function giveUp(turn: OpenedTurn, spent: readonly ModelTokens[], deps: ChatDeps): Promise<void> {
  const { orgId, sessionId, leaseId } = turn;
  for (const [nr, tokens] of spent.entries())
    await deps
      .countTokens({ orgId, sessionId, source: `turn ${leaseId} ${nr}`, tokens })
      .catch((error: unknown) => {
        deps.log.warn(
          { event: "tokens_not_counted", sessionId, err: messageOf(error) },
          "failed to count the tokens of a turn that was not kept",
        );
      });
  await release(turn, deps);
}

async function release(turn: OpenedTurn, { database, log }: ChatDeps): Promise<void> {
  await releaseLease(database, turn).catch((error: unknown) => {
    log.warn(
      { event: "chat_lease_not_released", sessionId: turn.sessionId, err: messageOf(error) },
      "failed to release a chat's lease, it runs out",
    );
  });
}

function countFailure(error: unknown, { metrics }: ChatDeps): void {
  metrics.chatTurnsTotal.inc({ outcome: error instanceof AppError ? error.code : "internal" });
}
