import { type Account, type Connector, type ConnectorContext, isByConsent } from "../connector.ts";
import type { IntegrationParts } from "../deps.ts";
import { GuardedVendor } from "./guarded-vendor.ts";
import type { TokenSource } from "./token-source.ts";

/** One verification or action. */
export interface Run {
  readonly signal: AbortSignal;
  /** For the whole run, from now. */
  readonly deadlineMs: number;
  readonly idempotencyKey?: string | undefined;
  /** The conversation the run belongs to. */
  readonly sessionId?: string | undefined;
}

/** The account's owner; without a version the credentials are not stored yet. */
export interface Owned {
  readonly orgId: string;
  readonly connectionId: string;
  readonly version?: number;
}

type Parts = Pick<IntegrationParts, "network" | "minted" | "consentTokens" | "database" | "clock">;

/** The context in which a connector's code acts in an account. */
export function openContext(
  connector: Connector,
  account: Account,
  opened: Owned & Run,
  parts: Parts,
): ConnectorContext {
  const { own, reach, tokens } = opening(connector, account, opened, parts);
  return { ...own, vendor: new GuardedVendor({ ...reach, tokens }, parts.network) };
}

/** The token source of an account; undefined when its credentials suffice. */
export function openTokens(
  connector: Connector,
  account: Account,
  opened: Owned & Run,
  parts: Parts,
): TokenSource | undefined {
  return opening(connector, account, opened, parts).tokens;
}

function opening(connector: Connector, account: Account, opened: Owned & Run, parts: Parts) {
  const { network, database, clock } = parts;
  const { orgId, connectionId, signal, deadlineMs, idempotencyKey, sessionId } = opened;
  const deadlineAtMs = clock.monotonicMs() + deadlineMs;
  const { credentials } = account;
  const reach = { orgId, connector, credentials, signal, deadlineAtMs };
  const nowMs = () => clock.wallMs();
  const own = { ...account, connectionId, orgId, idempotencyKey, sessionId, database, nowMs, signal };
  const plain = { ...own, vendor: new GuardedVendor({ ...reach, tokens: undefined }, network) };
  const tokens = tokensOf(connector, plain, { ...opened, deadlineAtMs }, parts);
  return { own, reach, tokens };
}

function tokensOf(
  connector: Connector,
  context: ConnectorContext,
  { version = 0, deadlineAtMs }: Owned & { readonly deadlineAtMs: number },
  { minted, consentTokens }: Parts,
): TokenSource | undefined {
  const { orgId, connectionId, credentials, signal } = context;
  const { mint } = connector;
  if (mint) return minted.source(orgId, `${connectionId}:${version}`, () => mint(context));
  if (!isByConsent(connector, credentials)) return undefined;
  return consentTokens({ orgId, connectionId }, connector, { signal, deadlineAtMs });
}
