import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Database } from "../../database/open.ts";
import type { AccessChanges } from "../../http/access/access-changes.ts";
import type { Operators } from "../../http/access/operators.ts";
import type { Limits } from "../../http/limits/limits.ts";
import type { Audit } from "../audit/audit.ts";
import type { SecondFactor } from "../mfa/second-factor.ts";
import type { Messenger } from "../notifications/messenger.ts";
import type { OneTimeCodes } from "../otp/one-time-codes.ts";
import type { SignIns } from "../sign-ins/sign-ins.ts";
import type { Passwords } from "./passwords.ts";

/** The parts that accounts, organizations and credentials are built from; each operation names those it uses. */
export interface Identity {
  readonly config: Pick<Config, "identity">;
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly limits: Limits;
  readonly messenger: Messenger;
  readonly passwords: Passwords;
  readonly codes: OneTimeCodes;
  readonly secondFactor: SecondFactor;
  readonly signIns: SignIns;
  readonly changes: AccessChanges;
  readonly operators: Pick<Operators, "has">;
  /** Base of links in messages: the address people reach the pages by. */
  readonly baseUrl: () => string;
}
