import type { Clock } from "@parley/shared/clock.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../database/open.ts";
import type { Limits } from "../http/limits/limits.ts";
import type { Client } from "../http/plugins/client.ts";
import type { Audit } from "../identity/audit/audit.ts";
import type { DataKeys } from "../sealed/data-keys.ts";
import type { Account, Connector } from "./connector.ts";
import type { VendorNetwork } from "./vendor/guarded-vendor.ts";
import type { MintedTokens } from "./vendor/minted-tokens.ts";
import type { TokenSource } from "./vendor/token-source.ts";

/** Tokens of connections that were made by consent. */
export type ConsentTokens = (
  connection: { readonly orgId: string; readonly connectionId: string },
  connector: Connector,
  account: Account,
) => TokenSource;

/** What everything about connections needs. */
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
}

/** Who changes a connection: a key, or a person by the dashboard. */
export interface ConnectionActor {
  readonly orgId: string;
  readonly kind: "key" | "user";
  readonly id: string;
  readonly client: Client;
}
