import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Databases } from "../database/open.ts";
import { AccessChanges } from "../http/access/access-changes.ts";
import { KeyResolver } from "../http/access/key-resolver.ts";
import { Operators } from "../http/access/operators.ts";
import { SessionResolver } from "../http/access/session-resolver.ts";
import { Limits } from "../http/limits/limits.ts";
import type { Reads } from "../http/reads.ts";
import type { Identity } from "./accounts/identity.ts";
import { type PasswordCost, Passwords } from "./accounts/passwords.ts";
import { Audit } from "./audit/audit.ts";
import { SecondFactor } from "./mfa/second-factor.ts";
import { Messenger } from "./notifications/messenger.ts";
import { OidcProviders } from "./oidc/providers.ts";
import { OneTimeCodes } from "./otp/one-time-codes.ts";
import { AccessTokens } from "./sign-ins/access-tokens.ts";
import { SignIns } from "./sign-ins/sign-ins.ts";
import { SigningKeys } from "./sign-ins/signing-keys.ts";

export interface IdentityDeps {
  readonly config: Config;
  readonly bus: Bus;
  readonly database: Databases;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly reads: Reads;
  readonly secrets: SecretBox;
  readonly baseUrl: () => string;
  /** How long a node caches a credential; set only by tests. */
  readonly credentialCacheMs?: number | undefined;
  /** Cost of password hashes; set only by tests. */
  readonly passwordCost?: PasswordCost | undefined;
}

export type IdentityParts = Awaited<ReturnType<typeof openParts>>;

/** Assembles the parts of identity; the database must be migrated. */
export async function openParts(deps: IdentityDeps) {
  const { config, bus, database, clock, log, metrics, secrets, baseUrl, credentialCacheMs } = deps;
  const changes = new AccessChanges({ channels: bus.channels, clock, log });
  const signingKeys = await SigningKeys.open({ database, secrets, clock, log });
  const accessTokens = new AccessTokens({ keys: signingKeys, clock });
  const audit = new Audit({ database, clock });
  const limits = new Limits({ database, clock });
  const messenger = new Messenger({ config, clock, log, metrics });
  const operators = new Operators({ database, emails: config.identity.operators });
  const identity: Identity = {
    config,
    database,
    clock,
    audit,
    limits,
    messenger,
    passwords: new Passwords({ gauge: metrics.passwordQueue, cost: deps.passwordCost }),
    codes: new OneTimeCodes({ database, clock, limits, messenger }),
    secondFactor: new SecondFactor({ database, clock, secrets, limits }),
    signIns: new SignIns({ database, clock, secrets, accessTokens, changes, audit }),
    changes,
    operators,
    baseUrl,
  };
  const resolver = { database, clock, changes, cacheTtlMs: credentialCacheMs };
  const keys = new KeyResolver({ ...resolver, log });
  return {
    identity,
    signingKeys,
    messenger,
    providers: new OidcProviders({
      providers: config.identity.oidcProviders,
      nowMs: () => clock.monotonicMs(),
    }),
    resolvers: { keys, sessions: new SessionResolver({ ...resolver, accessTokens }), operators },
    close: async (): Promise<void> => {
      signingKeys.close();
      await keys.close();
      await messenger.close();
      await changes.close();
    },
  };
}
