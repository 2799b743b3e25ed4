import type { AuthKind } from "@parley/shared/contracts/integrations.ts";
import type { z } from "zod";
import type { Database } from "../database/open.ts";
import type { ArgumentsOf, CapabilityId, ResultOf } from "./capabilities/all.ts";
import type { Vendor, VendorAnswer, VendorRefusal } from "./vendor/vendor.ts";

type Values = Readonly<Record<string, string>>;

/** A value to enter when connecting an account. */
export interface Field {
  readonly key: string;
  readonly label: string;
  /** Where to find the value at the vendor, or its purpose. */
  readonly help: string;
  readonly isOptional?: true;
  /** Validates the value; without it, any single line of text. */
  readonly schema?: z.ZodType<string, string>;
}

export interface CredentialField extends Field {
  /** Shown in the clear; all others are masked. */
  readonly isPublic?: true;
  /** The form of credentials the field belongs to; without it, to every form. */
  readonly form?: string;
}

export interface SettingField extends Field {
  readonly placeholder: string;
  /** Multi-line text. */
  readonly isLong?: true;
}

/** The result of a verification. */
export interface Verified {
  /** The account's display name, stored as the setting `account`. */
  readonly account?: string;
  /** Problems that do not keep the connection from working. */
  readonly warnings?: readonly string[];
  /** Values that later actions need and only the vendor knows; stored with the connection, never shown. */
  readonly facts?: Values;
}

/** An account that a connector works with. */
export interface Account {
  readonly credentials: Values;
  readonly settings: Values;
  /** The facts of the last verification. */
  readonly facts: Values;
}

/** The environment of a connector's code for one verification or action. */
export interface ConnectorContext extends Account {
  readonly vendor: Vendor;
  readonly connectionId: string;
  readonly orgId: string;
  /** For vendors that take one: deduplicates retries of a write. */
  readonly idempotencyKey: string | undefined;
  /** The conversation the action runs in; data stored here for it is erased along with it. */
  readonly sessionId: string | undefined;
  /** For built-in connectors. */
  readonly database: Database;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

type Action<K extends CapabilityId> = (
  args: ArgumentsOf<K>,
  context: ConnectorContext,
) => Promise<ResultOf<K>>;

/** The actions of a connector, by capability. */
export type Actions = { readonly [K in CapabilityId]?: Action<K> };

/** A short-lived token exchanged for credentials. */
export interface MintedToken {
  readonly token: string;
  readonly expiresInSecs: number;
}

/** How consent and token exchange work at a vendor; absent members are the usual behavior. */
export interface OAuthFacts {
  /** The URLs may depend on settings. */
  readonly authorizeUrl: (settings: Values) => string;
  readonly tokenUrl: (settings: Values) => string;
  readonly revokeUrl?: (settings: Values) => string;
  /** The method of a revocation authorized by the token itself, instead of a form (RFC 7009). */
  readonly revokesBy?: "POST" | "DELETE";
  /** The vendor's issuer name (RFC 9207); an operator may configure one client for all connectors of an issuer. */
  readonly issuer?: string;
  /** Empty if the operator's registration at the vendor fixes them. */
  readonly scopes: readonly string[];
  /** A space when absent. */
  readonly scopeSeparator?: string;
  /** Extra parameters of the authorization URL. */
  readonly parameters?: Values;
  /** How the client's secret is sent to the token endpoint; in the body when absent. */
  readonly clientSecretIn?: "body" | "basic";
  /** Values of the token reply that later actions need, for example `instance_url`. */
  readonly factsOf?: (reply: Readonly<Record<string, unknown>>) => Values;
}

export type AuthorizedHeaders = (credentials: Values, token: string | undefined) => Values;

/** A vendor: the source of its catalog entry, forms, pages and model tools. */
export interface Connector {
  /** The `providerId`, and the folder's name. */
  readonly id: string;
  readonly name: string;
  readonly category: string;
  /** What an agent does with it, in one sentence. */
  readonly about: string;
  readonly authKind: AuthKind;
  readonly docsUrl: string;
  readonly credentials: readonly CredentialField[];
  readonly settings: readonly SettingField[];
  /**
   * Identifies the account before anyone is asked: an organization can connect each account once. Absent where only the
   * vendor knows: such accounts are not compared.
   */
  readonly identityOf?: (given: Omit<Account, "facts">) => string;
  /** The reason why verification cannot be skipped. */
  readonly mustVerify?: string;
  readonly authorized: AuthorizedHeaders;
  /** The hosts that apps' own requests may reach with these credentials; absent: none. */
  readonly apiHosts?: (account: Account) => readonly string[];
  /** Exchanges credentials for a token; undefined when this form needs none. */
  readonly mint?: (context: ConnectorContext) => Promise<MintedToken | undefined>;
  readonly oauth?: OAuthFacts;
  /** Interprets the vendor's own error format, also in a 200. */
  readonly refusalOf?: (answer: VendorAnswer) => VendorRefusal | undefined;
  /** One cheap read. Throws `VendorError`. */
  readonly verify: (context: ConnectorContext) => Promise<Verified>;
  readonly actions: Actions;
}

/** Whether the account is connected by consent at the vendor instead of entered credentials. */
export function isByConsent({ oauth }: Pick<Connector, "oauth">, credentials: Values): boolean {
  return oauth !== undefined && Object.keys(credentials).length === 0;
}

export function capabilitiesOf({ actions }: Pick<Connector, "actions">): CapabilityId[] {
  return Object.keys(actions) as CapabilityId[];
}
