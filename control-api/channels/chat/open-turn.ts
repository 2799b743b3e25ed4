import type { HistoryMessage } from "@parley/shared/brain/port.ts";
import { toTimestamp } from "@parley/shared/clock.ts";
import type { Heard } from "@parley/shared/contracts/brain.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import type { ChatTurn } from "@parley/shared/contracts/chat.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { agentForCall, type WantedCall } from "../../agents/agents/agent-for-call.ts";
import { callVariables } from "../../agents/agents/call-variables.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { unsentOf } from "./chat-redactor.ts";
import { chatStatusOf } from "./chat-status.ts";
import { findChat, insertChat, lockChat, type StoredChat, selectUnrecorded, updateChat } from "./store.ts";
import { messagesOf } from "./transcript.ts";

/** A process that died is believed to generate for this long. */
export const LEASE_MS = 15_000;
const RETRY_AFTER_SECS = 2;

/** Who writes, and in whose name. */
export interface ChatCaller {
  readonly orgId: string;
  readonly userId: string;
  readonly callerKind: "key" | "client";
  /** The session that a chat gets that begins now; without it a new one. */
  readonly newSessionId?: string;
}

/** A turn that this process may answer, and nobody else until its lease is over. */
export interface OpenedTurn {
  readonly orgId: string;
  readonly sessionId: string;
  readonly leaseId: string;
  /** Counts up from 1. */
  readonly turn: number;
  readonly identifier: string;
  readonly input: string;
  /** When the message came. */
  readonly askedAt: string;
  readonly userId: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly brain: BrainPlan;
  readonly heard: Heard | undefined;
  /** All that was said before. */
  readonly history: readonly HistoryMessage[];
}

/**
 * Takes the floor in a chat, or begins one. Throws `AppError` not_found (agent, session, or the session of
 * somebody else), conflict (a reply is being generated), gone (the chat is over), unavailable.
 */
export async function openTurn(input: ChatTurn, caller: ChatCaller, deps: ChatDeps): Promise<OpenedTurn> {
  deps.inFlight.assertRoom(caller.orgId);
  const { sessionId } = input;
  return sessionId === undefined
    ? beginChat(input, caller, deps)
    : continueChat({ ...input, sessionId }, caller, deps);
}

/** The brain of the agent as it is now. Throws `AppError` not_found, api_access_off, validation_failed (a variable). */
async function brainFor(
  wanted: Pick<WantedCall, "orgId" | "agentId" | "callerKind" | "variables">,
  deps: ChatDeps,
): Promise<BrainPlan> {
  return (await agentForCall(wanted, deps)).settings.brain;
}

async function beginChat(
  input: ChatTurn,
  { orgId, userId, callerKind, newSessionId = newId("ses") }: ChatCaller,
  deps: ChatDeps,
): Promise<OpenedTurn> {
  const { agentId, identifier } = input;
  const nowMs = deps.clock.wallMs();
  const variables = frozenVariables(input, nowMs);
  const brain = await brainFor({ orgId, agentId, callerKind, variables }, deps);
  const chat = { sessionId: newSessionId, leaseId: newId("req"), userId, identifier, variables };
  const isNew = await insertChat(deps.database, {
    ...chat,
    orgId,
    callId: newId("cal"),
    agentId,
    leaseUntil: new Date(nowMs + LEASE_MS),
    at: new Date(nowMs),
  });
  // Two first messages of one token.
  if (!isNew) throw stillGenerating();
  return {
    ...chat,
    orgId,
    turn: 1,
    input: input.input,
    askedAt: toTimestamp(nowMs),
    brain,
    heard: undefined,
    history: [],
  };
}

/** What the chat's variables are from its first turn on: the brain gets them with every turn. */
function frozenVariables({ variables, identifier }: ChatTurn, nowMs: number): Record<string, string> {
  return callVariables({ variables, identifier }, nowMs);
}

async function continueChat(
  input: ChatTurn & { sessionId: string },
  { orgId, callerKind }: ChatCaller,
  deps: ChatDeps,
): Promise<OpenedTurn> {
  const { agentId, identifier, sessionId } = input;
  const found = await findChat(deps.database, orgId, sessionId);
  if (!found || !isOf(found, input)) throw noSuchChat();
  const { userId, variables } = found;
  const brain = await brainFor({ orgId, agentId, callerKind, variables }, deps);
  const { heldEvents, unsent, ...floor } = await takeFloor(sessionId, deps);
  const { waiting } = unsentOf({ sessionId, unsent }, deps.secrets);
  const history = await messagesOf({ sessionId, heldEvents }, waiting, deps);
  return { orgId, sessionId, identifier, input: input.input, userId, variables, brain, history, ...floor };
}

/** What of a turn is known once it is this process's. */
type Floor = Pick<OpenedTurn, "leaseId" | "turn" | "askedAt" | "heard"> &
  Pick<StoredChat, "heldEvents" | "unsent">;

async function takeFloor(sessionId: string, { database, clock, limits }: ChatDeps): Promise<Floor> {
  const leaseId = newId("req");
  return database.db.transaction().execute(async (trx) => {
    const nowMs = clock.wallMs();
    const chat = await lockChat(trx, sessionId);
    // Its first turn failed meanwhile, and took it along.
    if (!chat) throw noSuchChat();
    const status = chatStatusOf(chat, nowMs, limits);
    if (status === "over") throw isOver();
    if (status === "generating") throw stillGenerating();
    await updateChat(trx, sessionId, {
      lease_id: leaseId,
      lease_until: new Date(nowMs + LEASE_MS),
      active_at: new Date(nowMs),
      held_events: JSON.stringify(await selectUnrecorded(trx, chat.heldEvents)),
    });
    return {
      leaseId,
      turn: chat.turns + 1,
      askedAt: toTimestamp(nowMs),
      heard: chat.heard,
      heldEvents: chat.heldEvents,
      unsent: chat.unsent,
    };
  });
}

/** Whose chat it is: that of another end user or agent does not exist here. */
function isOf(chat: StoredChat, { agentId, identifier }: ChatTurn): boolean {
  return chat.agentId === agentId && chat.identifier === identifier;
}

function isOver(): AppError {
  const message = "This chat is over; send the same message again without sessionId to begin another.";
  return new AppError("gone", message);
}

function noSuchChat(): AppError {
  const message = "There is no such chat with this agent and identifier; leave sessionId out to begin one.";
  return new AppError("not_found", message);
}

function stillGenerating(): AppError {
  const message =
    "The reply to the message before is still being generated; wait for it, then send this one again.";
  return new AppError("conflict", message, { retryAfterSecs: RETRY_AFTER_SECS });
}
