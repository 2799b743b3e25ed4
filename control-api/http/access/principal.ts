import type { Role } from "@parley/shared/contracts/roles.ts";
import type { StoredKey } from "./key-store.ts";

/** Who a request comes from: a key, with what a request needs to know of it. */
export interface KeyPrincipal extends StoredKey {
  readonly kind: "key";
}

/** A signed-in user, outside any organization. */
export interface UserPrincipal {
  readonly kind: "user";
  readonly userId: string;
  /** The sign-in, which its access and refresh tokens belong to. */
  readonly sessionId: string;
}

/** A signed-in user who acts in an organization. */
export interface MemberPrincipal {
  readonly kind: "member";
  readonly userId: string;
  readonly sessionId: string;
  readonly orgId: string;
  readonly role: Role;
}

/** The holder of a client token: one pre-authorized call, everything fixed at mint. */
export interface ClientPrincipal {
  readonly kind: "client";
  readonly tokenHash: string;
}

/** The holder of an app's key: an app's own backend, in one organization. */
export interface AppPrincipal {
  readonly kind: "app";
  readonly secretHash: string;
}

export type Principal = KeyPrincipal | UserPrincipal | MemberPrincipal | ClientPrincipal | AppPrincipal;
