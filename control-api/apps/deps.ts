import type { Clock } from "@parley/shared/clock.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Databases } from "../database/open.ts";
import type { Limits } from "../http/limits/limits.ts";
import type { Audit } from "../identity/audit/audit.ts";
import type { StoredFiles } from "../records/recordings/stored-files.ts";
import type { DataKeys } from "../sealed/data-keys.ts";
import type { BesideChecks } from "./bundles/check-beside.ts";

/** What all parts of apps need. */
export interface AppParts {
  readonly database: Databases;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: Audit;
  readonly limits: Limits;
  readonly secrets: SecretBox;
  readonly dataKeys: DataKeys;
  readonly checks: BesideChecks;
  /** Where bytes are stored. */
  readonly recordings: StoredFiles;
}
