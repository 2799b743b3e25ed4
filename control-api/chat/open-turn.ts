import { toTimestamp } from "@parley/shared/clock.ts";
import type { Heard } from "@parley/shared/contracts/brain.ts";
import { agentSettingsSchema, type BrainPlan } from "@parley/shared/contracts/call-plan.ts";
import type { ChatTurn } from "@parley/shared/contracts/chat.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { dateVariables } from "../sessions/date-variables.ts";
import { findAgent } from "../sessions/store.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { standingOf } from "./standing.ts";
import { findChat, insertChat, lockChat, type StoredChat, selectUnrecorded, updateChat } from "./store.ts";

/** A process that died is believed to generate for this long. */
export const LEASE_MS = 15_000;
const RETRY_AFTER_SECS = 2;

/** A turn that this process may answer, and nobody else until its lease is over. */
export interface OpenedTurn {
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
}

/**
 * Takes the floor in a chat, or begins one. Throws `AppError` not_found (agent, session, or the session of
 * somebody else), conflict (a reply is being generated), gone (the chat is over), unavailable.
 */
export async function openTurn(
  input: ChatTurn,
  caller: { orgId: string; userId: string },
  deps: ChatDeps,
): Promise<OpenedTurn> {
  deps.underWay.assertRoom();
  const agent = await findAgent(deps.database, caller.orgId, input.agentId);
  if (!agent) throw new AppError("not_found", `There is no agent ${input.agentId} in this organization.`);
  const { brain } = agentSettingsSchema.parse(agent.settings);
  const { sessionId } = input;
  return sessionId === undefined
    ? beginChat({ input, caller, brain }, deps)
    : continueChat({ input, orgId: caller.orgId, brain, sessionId }, deps);
}

async function beginChat(
  first: { input: ChatTurn; caller: { orgId: string; userId: string }; brain: BrainPlan },
  { database, clock }: ChatDeps,
): Promise<OpenedTurn> {
  const { input, caller, brain } = first;
  const nowMs = clock.wallMs();
  const { orgId, userId } = caller;
  const chat = {
    sessionId: newId("ses"),
    leaseId: newId("req"),
    userId,
    identifier: input.identifier,
    variables: frozenVariables(input, nowMs),
  };
  const leaseUntil = new Date(nowMs + LEASE_MS);
  const callId = newId("cal");
  await insertChat(database, {
    ...chat,
    orgId,
    callId,
    agentId: input.agentId,
    leaseUntil,
    at: new Date(nowMs),
  });
  return { ...chat, turn: 1, input: input.input, askedAt: toTimestamp(nowMs), brain, heard: undefined };
}

/** What the chat's variables are from its first turn on: the brain gets them with every turn. */
function frozenVariables({ variables, identifier }: ChatTurn, nowMs: number): Record<string, string> {
  return { ...dateVariables(nowMs), ...variables, identifier };
}

async function continueChat(
  next: { input: ChatTurn; orgId: string; brain: BrainPlan; sessionId: string },
  deps: ChatDeps,
): Promise<OpenedTurn> {
  const { input, orgId, brain, sessionId } = next;
  const { database, clock, limits } = deps;
  const leaseId = newId("req");
  return database.db.transaction().execute(async (trx) => {
    const nowMs = clock.wallMs();
    const chat = await lockChat(trx, sessionId);
    if (!chat || !isOf(chat, orgId, input)) throw noSuchChat();
    const standing = standingOf(chat, nowMs, limits);
    if (standing === "over") {
      const message = "This chat is over; send the same message again without sessionId to begin another.";
      throw new AppError("gone", message);
    }
    if (standing === "generating") throw stillGenerating();
    await updateChat(trx, sessionId, {
      lease_id: leaseId,
      lease_until: new Date(nowMs + LEASE_MS),
      active_at: new Date(nowMs),
      held_events: JSON.stringify(await selectUnrecorded(trx, chat.heldEvents)),
    });
    const { userId, variables, heard } = chat;
    const askedAt = toTimestamp(nowMs);
    const { identifier, input: text } = input;
    return {
      sessionId,
      leaseId,
      turn: chat.turns + 1,
      identifier,
      input: text,
      askedAt,
      userId,
      variables,
      brain,
      heard,
    };
  });
}

/** Whose chat it is: that of another end user, agent or organization does not exist here. */
function isOf(chat: StoredChat, orgId: string, { agentId, identifier }: ChatTurn): boolean {
  return chat.orgId === orgId && chat.agentId === agentId && chat.identifier === identifier;
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

/** A chat of this organization. Throws `AppError` not_found. */
export async function chatOf(orgId: string, sessionId: string, { database }: ChatDeps): Promise<StoredChat> {
  const chat = await findChat(database, orgId, sessionId);
  if (!chat) throw new AppError("not_found", "There is no such chat in this organization.");
  return chat;
}
