import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@parley/shared/clock.ts";
import type { MintClientToken } from "@parley/shared/contracts/client-tokens.ts";
import type { InitWebCall, InitWebCallBody } from "@parley/shared/contracts/sessions.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { randomToken, sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../database/open.ts";
import type { KeyPrincipal, MemberPrincipal } from "../../http/access/principal.ts";
import { CLIENT_TOKEN_PREFIX } from "../../http/access/resolve-principal.ts";
import type { Client } from "../../http/plugins/client.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import type { Caller } from "../agents/agent-for-call.ts";
import { agentForCall } from "../agents/agent-for-call.ts";
import { callVariables } from "../agents/call-variables.ts";
import type { PlanDeps } from "../agents/plan-version.ts";
import {
  type FixedAtMint,
  findClientToken,
  giveUseBack,
  insertClientToken,
  useClientToken,
} from "./store.ts";

const TOKEN_BYTES = 32;

export interface ClientTokenDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Mints a token that carries everything its calls need; whatever would keep them from beginning is reported now. Throws
 * `AppError` not_found (no such agent), api_access_off, validation_failed (a required variable).
 */
export async function mintClientToken(
  input: MintClientToken,
  { minter, client }: { readonly minter: KeyPrincipal | MemberPrincipal; readonly client: Client },
  {
    database,
    clock,
    audit,
    secrets,
    toolExecutors,
  }: ClientTokenDeps & Pick<PlanDeps, "secrets" | "toolExecutors"> & { readonly audit: Audit },
): Promise<{ token: string; expiresAt: string }> {
  const {
    agentId,
    variables,
    identifier,
    firstResponse,
    expiresInSecs,
    maxUses,
    allowedOrigins,
    mode,
    maxMessages,
  } = input;
  const nowMs = clock.wallMs();
  const allVariables = callVariables({ variables, identifier }, nowMs);
  await agentForCall(
    { orgId: minter.orgId, agentId, callerKind: "client", variables: allVariables },
    { database, secrets, toolExecutors },
  );
  const token = CLIENT_TOKEN_PREFIX + randomToken(TOKEN_BYTES);
  const expiresAt = new Date(nowMs + expiresInSecs * 1_000);
  const id = newId("ctk");
  await insertClientToken(database, {
    id,
    tokenHash: sha256Hex(token),
    orgId: minter.orgId,
    agentId,
    fixed: { variables, identifier, firstResponse },
    allowedOrigins,
    maxUses,
    mode,
    sessionId: mode === "chat" ? newId("ses") : null,
    maxMessages,
    mintedBy: minter.userId,
    keyId: minter.kind === "key" ? minter.keyId : null,
    at: new Date(nowMs),
    expiresAt,
  });
  const actor =
    minter.kind === "key"
      ? { kind: "key" as const, id: minter.keyId }
      : { kind: "user" as const, id: minter.userId };
  const details = { clientTokenId: id, agentId, mode, maxUses };
  await audit.write({ action: "client_token.minted", orgId: minter.orgId, actor, client, details });
  return { token, expiresAt: expiresAt.toISOString() };
}

/** The call a token stands for, and its principal. */
export interface TokenCall {
  readonly clientTokenId: string;
  readonly call: InitWebCall;
  readonly caller: Caller;
  /** Uses one of the token's calls. Throws `AppError` token_invalid when none is left. */
  readonly use: () => Promise<void>;
  /** Gives the use back when the call could not be made. */
  readonly undo: () => Promise<void>;
}

/**
 * The call that a token is for; `use` consumes one. Throws `AppError` token_invalid (unknown, expired, or its minter or
 * key is gone), forbidden (a page it does not allow), bad_request (the body contradicts what the token fixes).
 */
export async function callOfToken(
  tokenHash: string,
  { origin, body }: { origin: string | undefined; body: InitWebCallBody },
  { database, clock }: ClientTokenDeps,
): Promise<TokenCall> {
  const at = new Date(clock.wallMs());
  const token = await findClientToken(database, tokenHash, at);
  if (!token) throw invalidToken();
  assertOrigin(token.allowedOrigins, origin);
  const call: InitWebCall = { agentId: token.agentId, ...(token.fixed as unknown as FixedAtMint) };
  assertNothingElse(body, call);
  return {
    clientTokenId: token.id,
    call,
    caller: { orgId: token.orgId, userId: token.mintedBy, kind: "client" },
    use: async () => {
      if (!(await useClientToken(database, token.id, at))) throw invalidToken();
    },
    undo: () => giveUseBack(database, token.id),
  };
}

/** Throws `AppError` forbidden for a page that the token does not allow. */
export function assertOrigin(allowed: readonly string[] | null, origin: string | undefined): void {
  if (allowed === null || allowed.includes(origin ?? "")) return;
  throw new AppError(
    "forbidden",
    "This client token is not allowed on this page. Create one for this page's origin.",
  );
}

function assertNothingElse(body: InitWebCallBody, fixed: InitWebCall): void {
  const differing = (Object.keys(body) as (keyof InitWebCallBody)[]).filter(
    (field) => body[field] !== undefined && !isDeepStrictEqual(body[field], fixed[field]),
  );
  if (differing.length === 0) return;
  throw new AppError(
    "bad_request",
    `The client token already sets ${differing.join(", ")}; leave ${differing.length > 1 ? "them" : "it"} out.`,
  );
}

/** The error for every unusable token, whatever the reason. */
export function invalidToken(): AppError {
  return new AppError(
    "token_invalid",
    "The client token is unknown, expired, used up or revoked. Create a new one.",
  );
}
