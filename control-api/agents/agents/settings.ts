import {
  type AgentConfig,
  agentConfigSchema,
  type ShownConfig,
  strictAgentConfigSchema,
} from "@parley/shared/contracts/agents.ts";
import { isObject, isSameKind, mergePatch } from "@parley/shared/contracts/merge-patch.ts";
import { invalidInput, parseInput } from "@parley/shared/contracts/problems.ts";
import type { AppError } from "@parley/shared/errors.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import { assertFlow } from "./assert-flow.ts";

type Json = Readonly<Record<string, unknown>>;

/** The settings as an agent's row stores them. */
export interface StoredSettings {
  /** Without secrets, except in rows of version 0.1.0. */
  readonly settings: Json;
  /** Secrets, keyed by field name. */
  readonly sealed: Readonly<Record<string, string>>;
}

/** Write-only fields of the brain. */
const BRAIN_SECRETS = ["secret"] as const;
/** Kinds of brain whose secret is the API key of a model service. */
const ASKS_A_MODEL: ReadonlySet<unknown> = new Set(["model", "flow"]);
const sealedName = (field: string): string => `brain.${field}`;

/** Moves the secrets out of the settings and seals them for this agent. */
export function sealSettings(config: Json, agentId: string, secrets: SecretBox): StoredSettings {
  const brain: Record<string, unknown> = isObject(config.brain) ? { ...config.brain } : {};
  const sealed: Record<string, string> = {};
  for (const field of BRAIN_SECRETS) {
    const secret = brain[field];
    delete brain[field];
    if (typeof secret !== "string") continue;
    sealed[sealedName(field)] = secrets.seal(secret, SEAL_CONTEXT.agent(agentId, sealedName(field)));
  }
  return { settings: { ...config, brain }, sealed };
}

/** The settings a call runs with, secrets opened. Throws `AppError` internal when the key that sealed them is gone. */
export function openSettings(
  { settings, sealed }: StoredSettings,
  agentId: string,
  secrets: SecretBox,
): AgentConfig {
  const brain: Record<string, unknown> = isObject(settings.brain) ? { ...settings.brain } : {};
  for (const field of BRAIN_SECRETS) {
    const text = sealed[sealedName(field)];
    if (text !== undefined) brain[field] = secrets.open(text, SEAL_CONTEXT.agent(agentId, sealedName(field)));
  }
  return agentConfigSchema.parse({ ...settings, brain });
}

/**
 * Applies a merge patch and fills in defaults. A secret stays until a new one is given, `null` removes it, or the brain
 * changes to another kind. Throws `AppError` validation_failed.
 */
export function changeSettings(
  stored: StoredSettings,
  patch: Json,
  { agentId, secrets }: { readonly agentId: string; readonly secrets: SecretBox },
): StoredSettings {
  // Seals secrets that version 0.1.0 stored in the clear.
  const before = sealSettings(agentConfigSchema.parse(stored.settings), agentId, secrets);
  const changed = sealSettings(parseSettings(mergePatch(before.settings, patch)), agentId, secrets);
  const given = isObject(patch.brain) ? patch.brain : {};
  assertSecretStaysHome(before, changed, given);
  const kept = isSameKind(before.settings.brain, given)
    ? Object.entries({ ...before.sealed, ...stored.sealed }).filter(([name]) => !isTakenAway(name, given))
    : [];
  return { settings: changed.settings, sealed: { ...Object.fromEntries(kept), ...changed.sealed } };
}

/**
 * A model's secret is sent to the model's address: changing the address must not reveal a secret the editor never saw.
 * Throws `AppError` validation_failed.
 */
export function assertSecretStaysHome(before: StoredSettings, after: StoredSettings, given: Json): void {
  const [from, to] = [before.settings.brain, after.settings.brain];
  if (!isObject(from) || !isObject(to) || from.kind !== to.kind || !ASKS_A_MODEL.has(from.kind)) return;
  if (from.url === to.url || given.secret !== undefined) return;
  throw wrong({
    "brain.secret": "give it again, or null, with another brain.url; it was meant for the one before",
  });
}

/** Whether the secret of `settings` may be used with `other`, the settings of another version. */
export function isSecretFor(other: StoredSettings, { settings }: StoredSettings): boolean {
  const [one, two] = [other.settings.brain, settings.brain];
  if (!isObject(one) || !isObject(two)) return false;
  return isSameKind(one, two) && (one.url === two.url || !ASKS_A_MODEL.has(one.kind));
}

function isTakenAway(name: string, brain: Json): boolean {
  return BRAIN_SECRETS.some((field) => sealedName(field) === name && brain[field] === null);
}

/** Settings as shown: `hasSecret` replaces the secret. `sealedNames` are the secrets stored beside the settings. */
export function showSettings(settings: Json, sealedNames: readonly string[]): ShownConfig {
  const config = agentConfigSchema.parse(settings);
  const brain: Record<string, unknown> = { ...config.brain };
  const hasSecret = brain.secret !== undefined || sealedNames.includes(sealedName("secret"));
  for (const field of BRAIN_SECRETS) delete brain[field];
  return { ...config, brain: { ...brain, hasSecret } };
}

/** Validates settings against the schema. Throws `AppError` validation_failed, naming each fault. */
function parseSettings(written: Json): AgentConfig {
  const config = parseInput(strictAgentConfigSchema, written, "body");
  assertBrainUrl(config.brain);
  assertFlow(config);
  return config;
}

/** Checks what no schema can; whether the address is allowed is decided later. Throws `AppError` validation_failed. */
export function assertBrainUrl(brain: Json): void {
  if (typeof brain.url !== "string") return;
  const { protocol, username, password } = new URL(brain.url);
  if (protocol !== "https:" && protocol !== "http:") {
    throw wrong({ "brain.url": "must begin with https:// or http://" });
  }
  if (username === "" && password === "") return;
  throw wrong({
    "brain.url": "must not have a user name or password in it; requests are signed with brain.secret",
  });
}

function wrong(fields: Readonly<Record<string, string>>): AppError {
  return invalidInput(
    "body",
    Object.entries(fields).map(([field, text]) => ({ field, text })),
  );
}
