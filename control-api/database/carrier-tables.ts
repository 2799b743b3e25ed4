import type { AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface CarrierConnectionsTable {
  id: string;
  org_id: string;
  carrier: AccountCarrierName;
  /** Identifies the account; not secret. */
  account: string;
  /** Sealed JSON of the credentials. */
  credentials_sealed: string;
  /** Incremented with each change of the credentials. */
  version: number;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  /** Since when the carrier refuses the credentials; older than `updated_at` once they were replaced. */
  refused_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
}
