import type { Role } from "@parley/shared/contracts/roles.ts";
import type { StoredKey } from "./key-store.ts";

/** The API key a request comes from, with what requests need to know about it. */
export interface KeyPrincipal extends StoredKey {
  readonly kind: "key";
}

/** A signed-in user, outside any organization. */
export interface UserPrincipal {
  readonly kind: "user";
  readonly userId: string;
  /** The sign-in that its access and refresh tokens belong to. */
  readonly sessionId: string;
}

/** A signed-in user acting in an organization. */
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

/** The holder of an app's key: the app's own backend, in one organization. */
export interface AppPrincipal {
  readonly kind: "app";
  readonly secretHash: string;
}

export type Principal = KeyPrincipal | UserPrincipal | MemberPrincipal | ClientPrincipal | AppPrincipal;
