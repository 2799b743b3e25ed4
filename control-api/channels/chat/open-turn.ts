import type { HistoryMessage } from "@parley/shared/brain/port.ts";
import { toTimestamp } from "@parley/shared/clock.ts";
import type { Heard } from "@parley/shared/contracts/brain.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import type { TeamMember } from "@parley/shared/contracts/call-plan.ts";
import type { ChatTurn } from "@parley/shared/contracts/chat.ts";
import { CHAT_CHANNEL, type TextChannel } from "@parley/shared/contracts/text-channels.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { agentForCall, type WantedCall } from "../../agents/agents/agent-for-call.ts";
import { callVariables } from "../../agents/agents/call-variables.ts";
import type { Person } from "../../agents/agents/recall.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { type ChatPlace, openPlace } from "./chat-place.ts";
import { unsentOf } from "./chat-redactor.ts";
import { chatStatusOf } from "./chat-status.ts";
import { findChat, insertChat, lockChat, type StoredChat, selectUnrecorded, updateChat } from "./store.ts";
import { messagesOf } from "./transcript.ts";

/** How long a dead process is still believed to be generating. */
export const LEASE_MS = 15_000;
const RETRY_AFTER_SECS = 2;

/** Who writes, and on whose behalf. */
export interface ChatCaller {
  readonly orgId: string;
  readonly userId: string;
  readonly callerKind: "key" | "client" | "contact" | "visitor";
  readonly keyId?: string;
  /** Session id of a chat that begins now; a new one when absent. */
  readonly newSessionId?: string;
  /** What carries the chat, if not a page or a server. */
  readonly line?: ChatLine;
}

/** How a chat's call is recorded. */
export interface ChatLine {
  readonly channel: TextChannel;
  readonly direction: "web" | "whatsapp" | "instagram";
  readonly fromNumber: string | null;
  readonly toNumber: string | null;
}

const OWN_LINE: ChatLine = { channel: CHAT_CHANNEL, direction: "web", fromNumber: null, toNumber: null };

/** A turn this process alone may answer until its lease expires. */
export interface OpenedTurn {
  readonly orgId: string;
  readonly sessionId: string;
  readonly channel: string;
  readonly leaseId: string;
  /** 1-based. */
  readonly turn: number;
  readonly identifier: string;
  readonly input: string;
  /** When the message arrived. */
  readonly askedAt: string;
  readonly userId: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly brain: BrainPlan;
  readonly agentId: string;
  readonly agentVersion: number;
  /** Agents the chat can be handed to. */
  readonly team: readonly TeamMember[];
  /** Place after the previous turn; undefined at the beginning, or where the brain keeps track itself. */
  readonly place: ChatPlace | undefined;
  readonly heard: Heard | undefined;
  /** Everything said before. */
  readonly history: readonly HistoryMessage[];
}

/**
 * Takes the floor in a chat, or begins a chat. Throws `AppError` not_found (agent, session, or another user's session),
 * conflict (a reply is being generated), gone (the chat is over), unavailable, payment_required,
 * spending_limit_reached.
 */
export async function openTurn(input: ChatTurn, caller: ChatCaller, deps: ChatDeps): Promise<OpenedTurn> {
  deps.inFlight.assertRoom(caller.orgId);
  const { sessionId } = input;
  return sessionId === undefined
    ? beginChat(input, caller, deps)
    : continueChat({ ...input, sessionId }, caller, deps);
}

/**
 * The agent's current brain; for a flow under way, the one the chat began with. Throws `AppError` not_found,
 * api_access_off, validation_failed (a variable).
 */
async function brainFor(
  wanted: WantedCall,
  deps: ChatDeps,
): Promise<Pick<OpenedTurn, "brain" | "agentId" | "agentVersion" | "team">> {
  const { id, settings, version, team } = await agentForCall(wanted, deps);
  return { brain: settings.brain, agentId: id, agentVersion: version, team };
}

/** The chat's creator identifies the writer: a server, a token it minted, or the service that carries the message. */
function personOf(identifier: string, nowMs: number): Person {
  return { identifier, isIdentified: true, at: new Date(nowMs) };
}

async function beginChat(
  input: ChatTurn,
  { orgId, userId, callerKind, keyId, newSessionId = newId("ses"), line = OWN_LINE }: ChatCaller,
  deps: ChatDeps,
): Promise<OpenedTurn> {
  const { agentId, identifier } = input;
  const nowMs = deps.clock.wallMs();
  const variables = frozenVariables(input, nowMs);
  const person = personOf(identifier, nowMs);
  const asked = await brainFor({ orgId, agentId, callerKind, variables, person }, deps);
  const chat = { sessionId: newSessionId, leaseId: newId("req"), userId, identifier, variables };
  const isNew = await insertChat(
    {
      ...chat,
      ...line,
      orgId,
      callId: newId("cal"),
      agentId,
      leaseUntil: new Date(nowMs + LEASE_MS),
      at: new Date(nowMs),
      keyId,
    },
    deps,
  );
  // Two first messages with one token.
  if (!isNew) throw stillGenerating();
  return {
    ...chat,
    orgId,
    channel: line.channel,
    turn: 1,
    input: input.input,
    askedAt: toTimestamp(nowMs),
    ...asked,
    place: undefined,
    heard: undefined,
    history: [],
  };
}

/** A chat's variables, fixed at its first turn: the brain receives them with every turn. */
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
  const { userId, variables, channel } = found;
  const versions = openPlace(found, deps.secrets)?.versions;
  const person = personOf(identifier, deps.clock.wallMs());
  const asked = await brainFor({ orgId, agentId, callerKind, variables, versions, person }, deps);
  const { heldEvents, unsent, flow: sealed, ...floor } = await takeFloor(sessionId, deps);
  const place = openPlace({ sessionId, flow: sealed }, deps.secrets);
  const { waiting } = unsentOf({ sessionId, unsent }, deps.secrets);
  const history = await messagesOf({ sessionId, heldEvents }, waiting, deps);
  return {
    orgId,
    sessionId,
    channel,
    identifier,
    input: input.input,
    userId,
    variables,
    ...asked,
    place,
    history,
    ...floor,
  };
}

/** What is known of a turn once this process holds it. */
type Floor = Pick<OpenedTurn, "leaseId" | "turn" | "askedAt" | "heard"> &
  Pick<StoredChat, "heldEvents" | "unsent" | "flow">;

async function takeFloor(sessionId: string, { database, clock, limits }: ChatDeps): Promise<Floor> {
  const leaseId = newId("req");
  return database.db.transaction().execute(async (trx) => {
    const nowMs = clock.wallMs();
    const chat = await lockChat(trx, sessionId);
    // Its first turn failed meanwhile, which deleted the chat.
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
      flow: chat.flow,
    };
  });
}

/** Whether the chat is this user's: another end user's or agent's chat does not exist here. */
function isOf(chat: StoredChat, { agentId, identifier }: ChatTurn): boolean {
  return chat.agentId === agentId && chat.identifier === identifier;
}

function isOver(): AppError {
  const message = "This chat has ended. Send the same message again without sessionId to start a new one.";
  return new AppError("gone", message);
}

function noSuchChat(): AppError {
  const message = "There is no such chat with this agent and identifier. Leave sessionId out to start one.";
  return new AppError("not_found", message);
}

function stillGenerating(): AppError {
  const message =
    "The reply to the message before is still being generated; wait for it, then send this one again.";
  return new AppError("conflict", message, { retryAfterSecs: RETRY_AFTER_SECS });
}
