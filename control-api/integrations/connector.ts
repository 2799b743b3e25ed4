import type { AuthKind } from "@parley/shared/contracts/integrations.ts";
import type { z } from "zod";
import type { Database } from "../database/open.ts";
import type { ArgumentsOf, CapabilityId, ResultOf } from "./capabilities/all.ts";
import type { Vendor, VendorAnswer, VendorRefusal } from "./vendor/vendor.ts";

type Values = Readonly<Record<string, string>>;

/** A value that somebody enters to connect an account. */
export interface Field {
  readonly key: string;
  readonly label: string;
  /** Where it is found at the vendor, or what it is for. */
  readonly help: string;
  readonly isOptional?: true;
  /** What the value has to be; without it any text of one line. */
  readonly schema?: z.ZodType<string, string>;
}

export interface CredentialField extends Field {
  /** Shown as it is; every other one is shown masked. */
  readonly isPublic?: true;
  /** Belongs to this form of credentials only; without it, to each. */
  readonly form?: string;
}

export interface SettingField extends Field {
  readonly placeholder: string;
  /** Text of several lines. */
  readonly isLong?: true;
}

/** What verification finds out. */
export interface Verified {
  /** The account's name as people know it, kept as the setting `account`. */
  readonly account?: string;
  /** What is wrong and does not keep the connection from working. */
  readonly warnings?: readonly string[];
  /** What later actions need and only the vendor knows; kept with the connection, not shown. */
  readonly facts?: Values;
}

/** An account that a connector works with. */
export interface Account {
  readonly credentials: Values;
  readonly settings: Values;
  /** What the last verification found out. */
  readonly facts: Values;
}

/** What a connector's code is given for one verification or action. */
export interface ConnectorContext extends Account {
  readonly vendor: Vendor;
  readonly connectionId: string;
  readonly orgId: string;
  /** Repeats the same write at vendors that take one. */
  readonly idempotencyKey: string | undefined;
  /** The conversation that it is run in: whoever keeps something of it here erases it with that. */
  readonly sessionId: string | undefined;
  /** For what is built in. */
  readonly database: Database;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

type Action<K extends CapabilityId> = (
  args: ArgumentsOf<K>,
  context: ConnectorContext,
) => Promise<ResultOf<K>>;

/** What a connector can do. */
export type Actions = { readonly [K in CapabilityId]?: Action<K> };

/** A token that stands for credentials for a while. */
export interface MintedToken {
  readonly token: string;
  readonly expiresInSecs: number;
}

/** Where consent is given and tokens are exchanged; absent members are what most vendors do. */
export interface OAuthFacts {
  /** The URLs may depend on settings. */
  readonly authorizeUrl: (settings: Values) => string;
  readonly tokenUrl: (settings: Values) => string;
  readonly revokeUrl?: (settings: Values) => string;
  /** How a token is revoked that stands in no form (RFC 7009) but is what the request is authorized with. */
  readonly revokesBy?: "POST" | "DELETE";
  /** Who answers, as the vendor names itself (RFC 9207); an operator may configure one client for all connectors of an issuer. */
  readonly issuer?: string;
  /** None: the vendor has them in what the operator registered. */
  readonly scopes: readonly string[];
  /** A blank when absent. */
  readonly scopeSeparator?: string;
  /** More parameters of the authorization address. */
  readonly parameters?: Values;
  /** How the client's secret is sent to the token endpoint; in the body when absent. */
  readonly clientSecretIn?: "body" | "basic";
  /** Values of the token's reply that later actions need, for example `instance_url`. */
  readonly factsOf?: (reply: Readonly<Record<string, unknown>>) => Values;
}

export type AuthorizedHeaders = (credentials: Values, token: string | undefined) => Values;

/** One vendor: everything that the catalog, the forms, the pages and the tools of models are made of. */
export interface Connector {
  /** The `providerId`; the name of its folder. */
  readonly id: string;
  readonly name: string;
  readonly category: string;
  /** One sentence: what an agent does with it. */
  readonly about: string;
  readonly authKind: AuthKind;
  readonly docsUrl: string;
  readonly credentials: readonly CredentialField[];
  readonly settings: readonly SettingField[];
  /**
   * Which account it is, known before anybody is asked: an organization has each once. Absent where only the vendor knows:
   * such accounts are not held against each other.
   */
  readonly identityOf?: (given: Omit<Account, "facts">) => string;
  /** Why verification cannot be left out. */
  readonly mustVerify?: string;
  readonly authorized: AuthorizedHeaders;
  /** Where requests of somebody else's making may go with these credentials; absent: nowhere. */
  readonly apiHosts?: (account: Account) => readonly string[];
  /** Exchanges credentials for a token; undefined when this form of them needs none. */
  readonly mint?: (context: ConnectorContext) => Promise<MintedToken | undefined>;
  readonly oauth?: OAuthFacts;
  /** What the vendor's own way of refusing means, also when its status says 200. */
  readonly refusalOf?: (answer: VendorAnswer) => VendorRefusal | undefined;
  /** One cheap read. Throws `VendorError`. */
  readonly verify: (context: ConnectorContext) => Promise<Verified>;
  readonly actions: Actions;
}

/** Whether somebody consents at the vendor, instead of entering credentials. */
export function isByConsent({ oauth }: Pick<Connector, "oauth">, credentials: Values): boolean {
  return oauth !== undefined && Object.keys(credentials).length === 0;
}

export function capabilitiesOf({ actions }: Pick<Connector, "actions">): CapabilityId[] {
  return Object.keys(actions) as CapabilityId[];
}
