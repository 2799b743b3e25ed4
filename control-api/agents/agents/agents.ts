import { isDeepStrictEqual } from "node:util";
import type { Channels } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AGENT_DELETED_CHANNEL } from "@parley/shared/contracts/agent-deleted.ts";
import {
  type Agent,
  type AgentVersion,
  agentConfigSchema,
  type ChangeAgent,
  type NewAgent,
} from "@parley/shared/contracts/agents.ts";
import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../database/open.ts";
import type { KeyPrincipal, MemberPrincipal } from "../../http/access/principal.ts";
import type { Client } from "../../http/plugins/client.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import type { ToolExecutors } from "../../tools/executor.ts";
import { assertTools, holdTools } from "../../tools/faults.ts";
import { assertRehearsed } from "../rehearsals/gate.ts";
import { assertFlow } from "./assert-flow.ts";
import { draftedAgent } from "./drafted-agent.ts";
import { assertBrainUrl, changeSettings, sealSettings, showSettings } from "./settings.ts";
import {
  type ChangedBy,
  deleteAgent,
  findAgent,
  insertAgent,
  lockAgent,
  type StoredAgent,
  type StoredVersion,
  updateAgent,
} from "./store.ts";
import { assertHandOffs } from "./team.ts";

export interface AgentDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly secrets: SecretBox;
  readonly channels: Channels;
  readonly toolExecutors: ToolExecutors;
}

export interface ActingClient {
  readonly actor: KeyPrincipal | MemberPrincipal;
  readonly client: Client;
  /** What the actor acts through; absent: directly. */
  readonly through?: "app";
}

/** Creates an agent with its first version. Throws `AppError` validation_failed. */
export async function createAgent(
  { name, ...config }: NewAgent,
  { actor, client }: ActingClient,
  { database, clock, audit, secrets, toolExecutors }: AgentDeps,
): Promise<StoredAgent> {
  assertBrainUrl(config.brain);
  assertFlow(config);
  const { orgId } = actor;
  await assertTools(config.brain, orgId, toolExecutors);
  await assertHandOffs(config.brain, orgId, database);
  const id = newId("agt");
  const by = changedBy(actor);
  const at = new Date(clock.wallMs());
  const sealed = sealSettings(config, id, secrets);
  const agent = await database.db.transaction().execute(async (trx) => {
    await holdTools(config.brain, orgId, toolExecutors, trx);
    return insertAgent(trx, { id, orgId, name, ...sealed, by, at });
  });
  await audit.write({ action: "agent.created", orgId, actor: by, client, details: { agentId: id } });
  return agent;
}

/** The version a change applies to: from `If-Match`, from the body, or whichever is current. */
export interface Expected {
  readonly inHeader: readonly number[] | undefined;
}

/**
 * Applies a merge patch and stores the result as a new version; a patch that changes nothing creates none. Throws
 * `AppError` not_found, validation_failed, precondition_failed or conflict (a newer version appeared meanwhile).
 */
export async function changeAgent(
  { id, patch, expected }: { readonly id: string; readonly patch: ChangeAgent; readonly expected: Expected },
  { actor, client, through }: ActingClient,
  { database, clock, audit, secrets, toolExecutors }: AgentDeps,
): Promise<StoredAgent> {
  const { orgId } = actor;
  const by = changedBy(actor);
  const { name, version, unrehearsed = false, ...settingsPatch } = patch;
  const givesTools =
    isObject(patch.brain) &&
    (patch.brain.tools !== undefined || patch.brain.flow !== undefined || patch.brain.handsTo !== undefined);
  if (givesTools) {
    // Runs before the transaction, as validation uses database connections of its own.
    const seen = await findAgent(database, orgId, id);
    if (!seen) throw noSuchAgent();
    assertVersion(seen.version, version, expected);
    await draftedAgent(seen, patch, { database, secrets, toolExecutors });
  }
  const { before, after } = await database.db.transaction().execute(async (trx) => {
    const before = await lockAgent(trx, orgId, id);
    if (!before) throw noSuchAgent();
    assertVersion(before.version, version, expected);
    const changed = changeSettings(before, settingsPatch, { agentId: id, secrets });
    const state = { name: name ?? before.name, settings: changed.settings, sealed: changed.sealed };
    if (isDeepStrictEqual(state, { name: before.name, settings: before.settings, sealed: before.sealed })) {
      return { before, after: before };
    }
    const gated = { orgId, agentId: id, before: before.settings, after: state.settings, unrehearsed };
    const readsReports = actor.kind === "member" && through === undefined;
    await assertRehearsed(trx, { ...gated, role: actor.role, readsReports });
    if (givesTools)
      await holdTools(agentConfigSchema.parse(changed.settings).brain, orgId, toolExecutors, trx);
    return { before, after: await updateAgent(trx, before, { ...state, by, at: new Date(clock.wallMs()) }) };
  });
  if (after.version !== before.version) {
    const fields = Object.keys(patch).filter((field) => field !== "version");
    const details = { agentId: id, version: after.version, fields };
    await audit.write({ action: "agent.updated", orgId, actor: by, client, details });
  }
  return after;
}

function assertVersion(current: number, inBody: number | undefined, { inHeader }: Expected): void {
  const message = `The agent was changed in the meantime and is now at version ${current}. Reload it, then save your change again.`;
  const details = { version: current };
  if (inHeader && !inHeader.includes(current))
    throw new AppError("precondition_failed", message, { details });
  if (inBody !== undefined && inBody !== current) throw new AppError("conflict", message, { details });
}

/** Postgres error code: another row references this one. */
const FOREIGN_KEY_VIOLATION = "23503";

/**
 * Deletes an agent; its calls and versions stay. Throws `AppError` not_found, conflict (something that references the
 * agent would stop working).
 */
export async function removeAgent(
  id: string,
  { actor, client }: ActingClient,
  { database, audit, channels }: Pick<AgentDeps, "database" | "audit" | "channels">,
): Promise<void> {
  const { orgId } = actor;
  const isGone = await deleteAgent(database, orgId, id).catch((cause: unknown) => {
    throw stillNeeded(cause) ?? cause;
  });
  if (!isGone) throw noSuchAgent();
  const by = changedBy(actor);
  await audit.write({ action: "agent.deleted", orgId, actor: by, client, details: { agentId: id } });
  // A gateway that misses this message drops its copy of the agent later on its own.
  await channels
    .publish(AGENT_DELETED_CHANNEL, JSON.stringify({ orgId, agentId: id }))
    .catch(() => undefined);
}

function stillNeeded(cause: unknown): AppError | undefined {
  if (!(cause instanceof Error) || !("code" in cause) || cause.code !== FOREIGN_KEY_VIOLATION)
    return undefined;
  const users = "table" in cause ? String(cause.table).replaceAll("_", " ") : "something";
  return new AppError("conflict", `The agent is still in use (${users}). Remove it there first.`, { cause });
}

export function noSuchAgent(): AppError {
  return new AppError("not_found", "There is no such agent in this organization.");
}

function changedBy(
  actor: KeyPrincipal | MemberPrincipal,
): ChangedBy & { readonly id: string; readonly kind: "key" | "user" } {
  return actor.kind === "key" ? { kind: "key", id: actor.keyId } : { kind: "user", id: actor.userId };
}

/** The public form of an agent. */
export function toAgent(row: StoredAgent): Agent {
  const settings = showSettings(row.settings, Object.keys(row.sealed));
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    ...settings,
    metadata: { tools: settings.brain.tools as Agent["metadata"]["tools"] },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The public form of an agent version. */
export function toVersion(row: StoredVersion): AgentVersion {
  return {
    agentId: row.agent_id,
    version: row.version,
    name: row.name,
    ...showSettings(row.settings, row.sealed_names),
    createdAt: row.created_at.toISOString(),
    createdBy: { kind: row.actor_kind, id: row.actor_id },
  };
}
