import type { AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface CarrierConnectionsTable {
  id: string;
  org_id: string;
  carrier: AccountCarrierName;
  /** Which account it is; no secret. */
  account: string;
  /** JSON of the credentials, sealed. */
  credentials_sealed: string;
  /** One more with each change of the credentials. */
  version: number;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}
