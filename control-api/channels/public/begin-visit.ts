import type {
  LeadField,
  PublicSettings,
  Visit,
  BeginVisit as VisitBody,
} from "@parley/shared/contracts/public-agents.ts";
import { publicSettingsSchema } from "@parley/shared/contracts/public-agents.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { addressBlock } from "@parley/shared/net/address-block.ts";
import { isAccessCode } from "@parley/shared/security/access-codes.ts";
import { randomToken, sha256Hex } from "@parley/shared/security/secrets.ts";
import { insertClientToken } from "../../agents/client-tokens/store.ts";
import {
  countLiveVisitors,
  countVisit,
  dayOf,
  insertLead,
  ownerOf,
  uncountVisit,
  type Visited,
  type VisitedAgent,
} from "../../agents/public/store.ts";
import { CLIENT_TOKEN_PREFIX } from "../../http/access/resolve-principal.ts";
import type { Limits } from "../../http/limits/limits.ts";
import type { AdmitCall } from "../sessions/admission.ts";
import { initWebCall } from "../sessions/init-web-call.ts";
import type { SessionDeps } from "../sessions/prepare-call.ts";

const TOKEN_BYTES = 32;
/** After this, somebody may have hung up. */
const BUSY_SECS = 20;
/** A page starts its chat with the first message, some time after it was opened. */
const CHAT_BEGINS_WITHIN_MS = 60 * 60_000;

export interface VisitDeps extends SessionDeps {
  readonly limits: Limits;
}

export interface Visitor {
  readonly ip: string;
}

/** A visitor's input. `variables` come from the link that led there. */
export interface WantedVisit extends VisitBody {
  readonly variables?: Readonly<Record<string, string>>;
}

/** `beginVisit` with its dependencies bound. */
export type BeginVisit = (agent: VisitedAgent, wanted: WantedVisit, visitor: Visitor) => Promise<Visit>;

/**
 * Checks a code that a visitor entered. Counts it by address and by target before comparing; uncounts a right one.
 * Throws `AppError` forbidden, too_many_requests.
 */
export async function assertCode(
  given: string | undefined,
  { hash, opens }: { readonly hash: string | null; readonly opens: string },
  { visitor, limits }: { readonly visitor: Visitor; readonly limits: Limits },
): Promise<void> {
  if (hash === null) return;
  const wrong = new AppError("forbidden", "The access code is missing or wrong.");
  if (given === undefined || given === "") throw wrong;
  const address = addressBlock(visitor.ip);
  await limits.take("access_codes_per_address", address);
  await limits.take("access_codes_per_page", opens);
  if (!(await isAccessCode(given, hash))) throw wrong;
  await limits.giveBack("access_codes_per_address", address);
  await limits.giveBack("access_codes_per_page", opens);
}

/**
 * Begins a stranger's conversation with a public agent, within limits on what strangers may cost: per minute by
 * address, per day by visitor, per day by agent, and calls at once. Throws `AppError` too_many_requests, validation_failed (an answer the
 * agent requires is missing), bad_request (mode not offered), and what beginning a call throws.
 */
export async function beginVisit(
  agent: VisitedAgent,
  wanted: WantedVisit,
  visitor: Visitor,
  deps: VisitDeps,
): Promise<Visit> {
  const settings = publicSettingsSchema.parse(agent.settings);
  const lead = leadOf(settings, wanted);
  if (!settings.modes.includes(wanted.mode))
    throw new AppError("bad_request", `This agent is not available by ${wanted.mode}.`);
  await deps.limits.take("public_visits_per_address", addressBlock(visitor.ip));
  const owner = await ownerOf(deps.database.db, agent.org_id);
  if (owner === undefined) throw new AppError("not_found", "This page is no longer available.");
  const giveBack = await countDay(agent, settings, visitor, deps);
  try {
    const variables = { ...wanted.variables, ...variablesOf(lead) };
    const begin = wanted.mode === "call" ? beginCall : beginChat;
    const visit = await begin({ agent, settings, variables, userId: owner }, deps);
    await keepLead(agent, { sessionId: visit.sessionId, lead }, deps);
    return visit;
  } catch (error) {
    await giveBack();
    throw error;
  }
}

/** Counts a visit for today; returns a function to uncount it. Throws `AppError` too_many_requests. */
async function countDay(
  agent: VisitedAgent,
  { limits: { perDay, perVisitorPerDay } }: PublicSettings,
  visitor: Visitor,
  { database: { db }, clock }: VisitDeps,
): Promise<() => Promise<void>> {
  const agentId = agent.agent_id;
  const nowMs = clock.wallMs();
  const all: Visited = { agentId, day: dayOf(nowMs), visitor: "" };
  const one: Visited = { ...all, visitor: sha256Hex(`${agentId}:${addressBlock(visitor.ip)}`) };
  const dayMs = 86_400_000;
  const options = { retryAfterSecs: Math.ceil((dayMs - (nowMs % dayMs)) / 1_000) };
  if (!(await countVisit(db, one, perVisitorPerDay)))
    throw new AppError("too_many_requests", "You have reached today's limit. Come back tomorrow.", options);
  if (!(await countVisit(db, all, perDay))) {
    await uncountVisit(db, one);
    throw new AppError(
      "too_many_requests",
      "This page has reached its limit for today. Come back tomorrow.",
      options,
    );
  }
  return async () => {
    await uncountVisit(db, one);
    await uncountVisit(db, all);
  };
}

interface Beginning {
  readonly agent: VisitedAgent;
  readonly settings: PublicSettings;
  readonly variables: Record<string, string>;
  readonly userId: string;
}

function beginCall({ agent, settings, variables, userId }: Beginning, deps: VisitDeps): Promise<Visit> {
  const caller = { orgId: agent.org_id, userId, kind: "visitor" } as const;
  const { callsAtOnce } = settings.limits;
  const admitCall: AdmitCall = async (trx, call) => {
    await deps.admitCall(trx, call);
    if ((await countLiveVisitors(trx, agent.agent_id)) > callsAtOnce)
      throw new AppError("too_many_requests", "All lines are busy; try again in a moment.", {
        retryAfterSecs: BUSY_SECS,
      });
  };
  return initWebCall({ agentId: agent.agent_id, variables }, caller, { ...deps, admitCall });
}

/** Mints the token with which the first message will begin the chat. */
async function beginChat(
  { agent, settings, variables, userId }: Beginning,
  { database, clock }: VisitDeps,
): Promise<Visit> {
  const token = CLIENT_TOKEN_PREFIX + randomToken(TOKEN_BYTES);
  const sessionId = newId("ses");
  const nowMs = clock.wallMs();
  await insertClientToken(database, {
    id: newId("ctk"),
    tokenHash: sha256Hex(token),
    orgId: agent.org_id,
    agentId: agent.agent_id,
    fixed: { variables },
    allowedOrigins: undefined,
    maxUses: 1,
    mode: "chat",
    sessionId,
    maxMessages: settings.limits.messagesPerChat,
    mintedBy: userId,
    keyId: null,
    isPublic: true,
    at: new Date(nowMs),
    expiresAt: new Date(nowMs + CHAT_BEGINS_WITHIN_MS),
  });
  return { sessionId, agentName: agent.agentName, token };
}

/** Keeps the requested fields only. Throws `AppError` validation_failed. */
function leadOf(
  { lead: asked }: PublicSettings,
  { lead = {} }: VisitBody,
): Partial<Record<LeadField, string>> {
  const missing = asked.filter(({ field, required }) => required && lead[field] === undefined);
  if (missing.length > 0) {
    const fields = missing.map(({ field }) => `lead.${field}`);
    throw new AppError("validation_failed", `Invalid body: ${fields.join(", ")} is required here.`, {
      details: { fields },
    });
  }
  return Object.fromEntries(
    asked.flatMap(({ field }) => (lead[field] === undefined ? [] : [[field, lead[field]]])),
  );
}

/** Names the agent's variables: `visitor_name`, `visitor_email`. */
function variablesOf(lead: Partial<Record<LeadField, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(lead).map(([field, text]) => [`visitor_${field}`, text]));
}

async function keepLead(
  { org_id: orgId, agent_id: agentId }: VisitedAgent,
  { sessionId, lead }: { readonly sessionId: string; readonly lead: Partial<Record<LeadField, string>> },
  { database, clock }: VisitDeps,
): Promise<void> {
  if (Object.keys(lead).length === 0) return;
  const at = new Date(clock.wallMs());
  await insertLead(database.db, { id: newId("led"), orgId, agentId, sessionId, fields: lead, at });
}
