import type { Clock } from "@parley/shared/clock.ts";
import type { OAuthClientConfig } from "@parley/shared/config/oauth-clients.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../database/open.ts";
import type { Limits } from "../http/limits/limits.ts";
import type { Client } from "../http/plugins/client.ts";
import type { Audit } from "../identity/audit/audit.ts";
import type { DataKeys } from "../sealed/data-keys.ts";
import type { Connector } from "./connector.ts";
import type { ConsentDeps } from "./oauth/consent.ts";
import type { Grants } from "./oauth/grants.ts";
import type { VendorNetwork } from "./vendor/guarded-vendor.ts";
import type { MintedTokens } from "./vendor/minted-tokens.ts";
import type { TokenSource } from "./vendor/token-source.ts";

/** Access tokens of connections made by consent. */
export type ConsentTokens = (
  connection: { readonly orgId: string; readonly connectionId: string },
  connector: Pick<Connector, "name">,
  run: {
    readonly signal: AbortSignal;
    /** On the clock's `monotonicMs` scale. */
    readonly deadlineAtMs: number;
  },
) => TokenSource;

/** What all parts of connections need. */
export interface IntegrationParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: Audit;
  readonly limits: Limits;
  readonly dataKeys: DataKeys;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly network: VendorNetwork;
  readonly minted: MintedTokens;
  readonly consentTokens: ConsentTokens;
  readonly grants: Grants;
  readonly consents: ConsentDeps;
  /** Parley's registrations at vendors, by the operator. */
  readonly oauthClients: readonly OAuthClientConfig[];
  readonly baseUrl: () => string;
}

/** Who changes a connection: a key, or a person in the dashboard. */
export interface ConnectionActor {
  readonly orgId: string;
  readonly kind: "key" | "user";
  readonly id: string;
  readonly client: Client;
}
