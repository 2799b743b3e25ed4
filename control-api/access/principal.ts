import type { StoredKey } from "./key-store.ts";

/** Who a request comes from: a key, with what a request needs to know of it. */
export interface KeyPrincipal extends StoredKey {
  readonly kind: "key";
}

export type Principal = KeyPrincipal;
