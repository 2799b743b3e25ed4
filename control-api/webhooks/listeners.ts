import type { Clock } from "@parley/shared/clock.ts";
import type { Claimed, CreateListener, Report, Reported } from "@parley/shared/contracts/listeners.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { findAgent } from "../agents/agents/store.ts";
import type { Database } from "../database/open.ts";
import type { Audit } from "../identity/audit/audit.ts";
import { SEAL_CONTEXT } from "../sealed/contexts.ts";
import { judge, type Outcome, type Verdict } from "./attempt.ts";
import { LEASE_MS } from "./claims.ts";
import { insertEndpointWithin } from "./endpoint-store.ts";
import { type ActingClient, auditActor, newSigningSecret } from "./endpoints.ts";
import {
  attemptsOf,
  claimOfListener,
  deleteListener,
  extendListener,
  releaseClaim,
} from "./listener-store.ts";
import type { ListenerWaits } from "./listener-waits.ts";
import { recordReported } from "./queue-store.ts";
import { KEPT_RESPONSE_BYTES, signedHeaders } from "./send.ts";
import { type SigningKeys, signingKeysOf } from "./signing-keys.ts";
import { truncateUtf8 } from "./truncate-utf8.ts";

/** A listener expires after this long without a claim or report. */
const LISTENING_MS = 120_000;
const MAX_LISTENERS = 20;
const CLAIM_LIMIT = 32;
/** Scheme in place of an address. */
const NO_URL = "parley-listen:";
const GONE = "There is no such listener, or its time was over; make a new one with POST /api/v1/listeners.";

export interface ListenerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly secrets: SecretBox;
  readonly waits: ListenerWaits;
}

/** A listener of an organization. */
interface Listener {
  readonly id: string;
  readonly orgId: string;
}

/** Creates an endpoint for two minutes; claims extend it. Throws `AppError` not_found (no such agent), conflict. */
export async function listen(
  wanted: CreateListener,
  { actor, client }: ActingClient,
  { database, clock, audit, secrets }: ListenerDeps,
): Promise<{ id: string; secret: string; listeningUntil: Date }> {
  const { orgId, userId } = actor;
  const { events, agent_id: agentId, include_recording, include_transcript } = wanted;
  if (agentId !== undefined && !(await findAgent(database, orgId, agentId))) {
    throw new AppError("not_found", `There is no agent ${agentId} in this organization.`);
  }
  const id = newId("whk");
  const secret = wanted.signing_secret ?? newSigningSecret();
  const nowMs = clock.wallMs();
  const listener = {
    id,
    orgId,
    url: NO_URL,
    events,
    agentId,
    includeRecording: include_recording,
    includeTranscript: include_transcript,
    secretSealed: secrets.seal(secret, SEAL_CONTEXT.webhook(id)),
    createdBy: userId,
    at: new Date(nowMs),
    listeningUntil: new Date(nowMs + LISTENING_MS),
  };
  if (!(await insertEndpointWithin(database, listener, MAX_LISTENERS))) {
    const message = `This organization has ${MAX_LISTENERS} listeners already. Stop one, or wait two minutes for abandoned ones to expire.`;
    throw new AppError("conflict", message);
  }
  const details = { webhookId: id, isListener: true };
  await audit.write({ action: "webhook.created", orgId, actor: auditActor(actor), client, details });
  return { id, secret, listeningUntil: listener.listeningUntil };
}

interface ClaimOptions {
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Throws `AppError` when the key that asked may no longer claim. */
  readonly recheckAccess: () => Promise<unknown>;
}

/** Claims due deliveries, or waits for them until `signal`. Throws `AppError` not_found, too_many_requests, unauthorized. */
export async function claim(
  listener: Listener,
  { waitMs, signal, recheckAccess }: ClaimOptions,
  deps: ListenerDeps,
): Promise<Claimed> {
  const { clock, secrets, waits } = deps;
  let sealed = await extend(listener, deps);
  const endMs = clock.monotonicMs() + waitMs;
  const wait = waits.begin(listener.id);
  try {
    for (;;) {
      const keys = signingKeysOf(secrets.open(sealed, SEAL_CONTEXT.webhook(listener.id)));
      const claimed = await take(listener, { keys, signal }, deps);
      const leftMs = endMs - clock.monotonicMs();
      if (claimed.deliveries.length > 0 || !(await wait.next(leftMs, signal))) return claimed;
      // The key may have been revoked during the wait.
      await recheckAccess();
      sealed = await extend(listener, deps);
    }
  } finally {
    wait.end();
  }
}

/** Records the local receiver's answer. Throws `AppError` not_found, conflict (claimed by somebody else meanwhile). */
export async function report(
  listener: Listener,
  { deliveryId, result }: { deliveryId: string; result: Report },
  deps: ListenerDeps,
): Promise<Reported> {
  const { database, clock } = deps;
  await extend(listener, deps);
  const before = await attemptsOf(database.db, listener.id, deliveryId);
  if (before === undefined) throw new AppError("not_found", "There is no such delivery of this listener.");
  const outcome = outcomeOf(result);
  const attempt = before + 1;
  const { status, error, retryAfterMs } = judgeLocally(outcome, attempt);
  const nowMs = clock.wallMs();
  const isOurs = await recordReported(database.db, {
    id: deliveryId,
    claimId: result.claim_id,
    status,
    attempts: attempt,
    at: new Date(nowMs),
    nextAttemptAt: retryAfterMs === undefined ? null : new Date(nowMs + retryAfterMs),
    responseStatus: outcome.kind === "answered" ? outcome.status : null,
    responseBody: outcome.kind === "answered" ? outcome.body : null,
    error,
    durationMs: result.duration_ms,
  });
  if (!isOurs) {
    throw new AppError(
      "conflict",
      "The delivery is no longer yours: its lease expired, or its result was already reported.",
    );
  }
  return { id: deliveryId, status, attempt, retry_in_secs: toSecs(retryAfterMs) };
}

/** Throws `AppError` not_found. */
export async function stopListening(
  { id, orgId }: Listener,
  { actor, client }: ActingClient,
  { database, audit, waits }: ListenerDeps,
): Promise<void> {
  if (!(await deleteListener(database, orgId, id))) throw new AppError("not_found", GONE);
  waits.wake(id);
  const details = { webhookId: id, isListener: true };
  await audit.write({ action: "webhook.deleted", orgId, actor: auditActor(actor), client, details });
}

async function extend(listener: Listener, { database, clock }: ListenerDeps): Promise<string> {
  const nowMs = clock.wallMs();
  const until = new Date(nowMs + LISTENING_MS);
  const sealed = await extendListener(database, listener, { at: new Date(nowMs), until });
  if (sealed === undefined) throw new AppError("not_found", GONE);
  return sealed;
}

async function take(
  { id }: Listener,
  { keys, signal }: { keys: SigningKeys; signal: AbortSignal },
  { database, clock }: ListenerDeps,
): Promise<Claimed> {
  const wallMs = clock.wallMs();
  const claimId = newId("evt");
  const taken = await claimOfListener(database, id, {
    claimId,
    at: new Date(wallMs),
    leasedUntil: new Date(wallMs + LEASE_MS),
    limit: CLAIM_LIMIT,
  });
  if (taken.length > 0 && signal.aborted) {
    const ids = taken.map((delivery) => delivery.id);
    await releaseClaim(database, claimId, ids);
    return { claim_id: claimId, deliveries: [] };
  }
  const deliveries = taken.map(({ id: deliveryId, event, body, attempts }) => ({
    id: deliveryId,
    event,
    body,
    attempt: attempts + 1,
    headers: signedHeaders({ deliveryId, event, body, keys, wallMs }),
  }));
  return { claim_id: claimId, deliveries };
}

function outcomeOf({ status, body = "", error = "" }: Report): Outcome {
  if (status === undefined) return { kind: "failed", reason: error };
  return { kind: "answered", status, body: truncateUtf8(body, KEPT_RESPONSE_BYTES) };
}

/** As for any endpoint, but a 410 is an ordinary failure: a terminal is not disabled behind its owner's back. */
function judgeLocally(outcome: Outcome, attempt: number): Verdict {
  const verdict = judge(outcome, attempt);
  if (verdict.disable === undefined) return verdict;
  return judge({ kind: "failed", reason: verdict.disable }, attempt);
}

function toSecs(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms / 1_000);
}
