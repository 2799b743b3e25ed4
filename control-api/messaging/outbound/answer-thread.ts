import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import { z } from "zod";
import { findAgent, type StoredAgent } from "../../agents/agents/store.ts";
import type { Answer } from "../../channels/chat/answer-parts.ts";
import type { ChatCaller, OpenedTurn } from "../../channels/chat/open-turn.ts";
import { answerTurn, beginTurn } from "../../channels/chat/take-turn.ts";
import type { Tables } from "../../database/tables.ts";
import { handles, type JobHandler, type JobKind, JobRefused, type JobRun } from "../../jobs/job-kind.ts";
import { type ChannelRow, findChannel } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import { type MessageRow, markAnswered, selectWaiting } from "../threads/message-store.ts";
import { openMessage } from "../threads/sealed-message.ts";
import { addressOf, findThread, lockThread, type ThreadRow, updateThread } from "../threads/thread-store.ts";
import { answersInVoice, spokenAnswer } from "../voice/answer-in-voice.ts";
import { queueMessage, queueText } from "./queue-message.ts";
import { splitFor } from "./split-text.ts";

/** Has an agent answer pending messages of a conversation, one run at a time. */
export const ANSWER_THREAD: JobKind<{ threadId: string }> = {
  name: "answer_thread",
  payload: z.object({ threadId: z.string() }),
};
/** How often an answer restarts because the contact kept writing; then it is sent, and the rest answered after it. */
const MAX_JOINED = 3;
const SIDE_BY_SIDE = 64;

/** Discards the turn, because what the contact wrote meanwhile belongs to it, or because a person now answers. */
class TurnOvertaken extends AppError {
  constructor() {
    super("conflict", "The conversation went on before the answer was there.");
    this.name = "TurnOvertaken";
  }
}

type Deps = MessagingDeps;

export function answersThreads(deps: Deps): JobHandler {
  return handles(ANSWER_THREAD, (run) => answerThread(run, deps), {
    attempts: 6,
    longestRetryMs: 60_000,
    sideBySide: SIDE_BY_SIDE,
  });
}

async function answerThread(run: JobRun<{ threadId: string }>, deps: Deps): Promise<void> {
  const { threadId } = run.payload;
  for (let joined = 0; ; joined += 1) {
    const asked = await findAsked(threadId, deps);
    if (!asked) return;
    try {
      await answerAsked(asked, { mayJoin: joined < MAX_JOINED, signal: run.signal }, deps);
      return;
    } catch (error) {
      run.signal.throwIfAborted();
      if (error instanceof TurnOvertaken) continue;
      await updateThread(deps.database.db, threadId, { trouble: messageOf(error) });
      if (error instanceof AppError && !error.retryable && error.code !== "conflict")
        throw new JobRefused(error.message, { cause: error });
      throw error;
    }
  }
}

/** Messages to answer, and their conversation. */
interface Asked {
  readonly thread: ThreadRow;
  readonly channel: ChannelRow;
  readonly agentId: string;
  readonly messages: readonly [MessageRow, ...MessageRow[]];
  /** The agent, if it was spoken to last and may answer in voice. */
  readonly speaker: StoredAgent | undefined;
}

/** Returns undefined if there is nothing to answer, or no agent to do so. */
async function findAsked(threadId: string, { database }: Deps): Promise<Asked | undefined> {
  const thread = await findThread(database.db, threadId);
  if (thread?.mode !== "agent") return undefined;
  const channel = await findChannel(database.db, thread.org_id, thread.channel_id);
  const [first, ...others] = await selectWaiting(database.db, threadId);
  if (!first || channel.agent_id === null) return undefined;
  const { agent_id: agentId, org_id: orgId } = channel;
  const wasSpokenTo = (others.at(-1) ?? first).media?.isVoice === true;
  const speaker = wasSpokenTo ? await findAgent(database, orgId, agentId) : undefined;
  return { thread, channel, agentId, messages: [first, ...others], speaker };
}

async function answerAsked(
  asked: Asked,
  { mayJoin, signal }: { readonly mayJoin: boolean; readonly signal: AbortSignal },
  deps: Deps,
): Promise<void> {
  await showTyping(asked, signal, deps);
  const turn = await openTurnOf(asked, deps);
  const listener = { signal, onText: () => undefined, onTool: () => undefined };
  await answerTurn(turn, deps.chat, listener, (trx, answer) =>
    keepAnswer(trx, answer, { asked, turn, mayJoin, deps }),
  );
  deps.queue.announce();
}

/** Opens a turn in the conversation's chat, or in a new chat if that one is over or another agent's. */
async function openTurnOf(asked: Asked, deps: Deps): Promise<OpenedTurn> {
  const { thread, channel, agentId, messages } = asked;
  const input = messages.map((message) => wordsIn(message, deps)).join("\n");
  const identifier = addressOf(thread);
  const name = thread.contact_name;
  const variables: Record<string, string> = name === null ? {} : { contact_name: name };
  const caller: ChatCaller = {
    orgId: channel.org_id,
    userId: channel.created_by,
    callerKind: "contact",
    line: {
      channel: channel.provider,
      direction: channel.provider,
      fromNumber: thread.contact_phone,
      toNumber: channel.phone,
    },
  };
  const message = { agentId, identifier, input, variables };
  if (thread.session_id !== null) {
    try {
      return await beginTurn({ ...message, sessionId: thread.session_id }, caller, deps.chat);
    } catch (error) {
      const isOver = error instanceof AppError && (error.code === "gone" || error.code === "not_found");
      if (!isOver) throw error;
    }
  }
  return beginTurn({ ...message, sessionId: undefined }, caller, deps.chat);
}

function wordsIn({ id, sealed, body }: MessageRow, { secrets }: Deps): string {
  if (sealed === null) return body ?? "";
  return openMessage(secrets, id, sealed).words;
}

interface KeptTurn {
  readonly asked: Asked;
  readonly turn: OpenedTurn;
  readonly mayJoin: boolean;
  readonly deps: Deps;
}

/**
 * Marks the messages answered and queues the reply, atomically with the turn. Throws `TurnOvertaken` if the agent
 * should be asked again, unless tools were used: their effects would happen twice.
 */
async function keepAnswer(
  trx: Kysely<Tables>,
  answer: Answer,
  { asked, turn, mayJoin, deps }: KeptTurn,
): Promise<void> {
  const { thread: before, channel, messages } = asked;
  const thread = await lockThread(trx, before.id);
  if (thread?.mode !== "agent" || answer.isInterrupted) throw new TurnOvertaken();
  const waiting = await selectWaiting(trx, thread.id);
  if (mayJoin && answer.tools.length === 0 && waiting.length > messages.length) throw new TurnOvertaken();
  await markAnswered(
    trx,
    messages.map(({ id }) => id),
    turn.sessionId,
  );
  const at = new Date(deps.clock.wallMs());
  const author = { author: "agent", author_id: asked.agentId, session_id: turn.sessionId } as const;
  const addressed = { thread, channel, author, at };
  if (asked.speaker && answersInVoice(answer.reply, asked.speaker, channel.provider, deps))
    await queueMessage(trx, spokenAnswer(answer.reply, asked.agentId), addressed, deps);
  else
    for (const text of splitFor(channel.provider, answer.reply)) await queueText(trx, text, addressed, deps);
  await updateThread(trx, thread.id, { session_id: turn.sessionId, trouble: null, unread: 0 });
}

/** Best effort: nobody waits for the indicator, and nothing depends on it. */
async function showTyping(
  { channel, thread, messages }: Asked,
  signal: AbortSignal,
  deps: Deps,
): Promise<void> {
  const { wamid } = messages.at(-1) ?? messages[0];
  if (wamid === null || wamid.startsWith("hash:")) return;
  try {
    const opened = await deps.senders.find(channel.id);
    const to = { phone: thread.contact_phone, userId: thread.contact_user_id };
    await opened?.sender.showTyping({ wamid, to }, signal);
  } catch (error) {
    deps.log.debug(
      { event: "typing_not_shown", channelId: channel.id, err: messageOf(error) },
      "failed to show a contact that somebody writes",
    );
  }
}
