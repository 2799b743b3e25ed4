import type { Role } from "@parley/shared/database/tables.ts";

/** Who a request comes from. */
export interface KeyPrincipal {
  readonly kind: "key";
  readonly orgId: string;
  readonly role: Role;
  readonly keyId: string;
  /** The key's creator, who is billed. */
  readonly userId: string;
}

export type Principal = KeyPrincipal;
