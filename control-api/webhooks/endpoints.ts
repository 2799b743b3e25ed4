import { randomBytes } from "node:crypto";
import type { Clock } from "@parley/shared/clock.ts";
import type { NewEndpoint, Webhook } from "@parley/shared/contracts/webhooks.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { findAgent } from "../agents/agents/store.ts";
import type { Database } from "../database/open.ts";
import type { KeyPrincipal, MemberPrincipal } from "../http/access/principal.ts";
import type { Client } from "../http/plugins/client.ts";
import type { Audit } from "../identity/audit/audit.ts";
import { SEAL_CONTEXT } from "../sealed/contexts.ts";
import { insertEndpointWithin, removeEndpoint } from "./endpoint-store.ts";
import { SECRET_PREFIX } from "./signing-keys.ts";
import { type UrlRules, vetEndpointUrl } from "./url-rules.ts";

const SECRET_BYTES = 32;
/** Each endpoint gets a delivery of each event, all in one transaction. */
const MAX_ENDPOINTS = 50;

export interface WebhookDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly secrets: SecretBox;
  readonly urlRules: UrlRules;
}

export interface ActingClient {
  readonly actor: KeyPrincipal | MemberPrincipal;
  readonly client: Client;
}

/**
 * Registers an immutable endpoint. Throws `AppError` bad_request, blocked_address, not_found (no such agent), conflict
 * (the limit is reached).
 */
export async function register(
  endpoint: NewEndpoint,
  { actor, client }: ActingClient,
  { database, clock, audit, secrets, urlRules }: WebhookDeps,
): Promise<{ webhook: Webhook; secret: string }> {
  const { orgId, userId } = actor;
  if (endpoint.agentId !== undefined && !(await findAgent(database, orgId, endpoint.agentId))) {
    throw new AppError("not_found", `There is no agent ${endpoint.agentId} in this organization.`);
  }
  const url = await vetEndpointUrl(endpoint.url, orgId, urlRules);
  const id = newId("whk");
  const secret = newSigningSecret();
  const secretSealed = secrets.seal(secret, SEAL_CONTEXT.webhook(id));
  const row = { ...endpoint, url, id, orgId, secretSealed, createdBy: userId, at: new Date(clock.wallMs()) };
  const webhook = await insertEndpointWithin(database, row, MAX_ENDPOINTS);
  if (!webhook) {
    const message = `An organization can have up to ${MAX_ENDPOINTS} webhooks. Delete one first.`;
    throw new AppError("conflict", message);
  }
  const details = { webhookId: id };
  await audit.write({ action: "webhook.created", orgId, actor: auditActor(actor), client, details });
  return { webhook, secret };
}

/** A secret in the Standard Webhooks format. */
export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** Throws `AppError` not_found. */
export async function remove(
  id: string,
  { actor, client }: ActingClient,
  { database, clock, audit }: Pick<WebhookDeps, "database" | "clock" | "audit">,
): Promise<void> {
  const { orgId } = actor;
  if (!(await removeEndpoint(database, { orgId, id, at: new Date(clock.wallMs()) }))) {
    throw new AppError("not_found", "There is no such webhook in this organization.");
  }
  const details = { webhookId: id };
  await audit.write({ action: "webhook.deleted", orgId, actor: auditActor(actor), client, details });
}

/** The actor, as recorded in the audit log. */
export function auditActor(actor: KeyPrincipal | MemberPrincipal): { kind: "user" | "key"; id: string } {
  return actor.kind === "key" ? { kind: "key", id: actor.keyId } : { kind: "user", id: actor.userId };
}
