import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { SEAL_CONTEXT } from "../sealed/contexts.ts";
import { type SigningKeys, signingKeysOf } from "./signing-keys.ts";

const MAX_KEPT = 1_000;

/** Cache of recently used endpoint secrets: opening one costs as much as signing with it, and preparing its keys as much again. */
export class OpenedSecrets {
  readonly #secrets: SecretBox;
  readonly #opened = new Map<string, { readonly sealed: string; readonly keys: SigningKeys }>();

  constructor(secrets: SecretBox) {
    this.#secrets = secrets;
  }

  /** Returns undefined if it was sealed for another endpoint, or its key is gone. */
  open(sealed: string, endpointId: string): SigningKeys | undefined {
    const known = this.#opened.get(endpointId);
    if (known?.sealed === sealed) return known.keys;
    const secret = this.#tryOpen(sealed, endpointId);
    if (secret === undefined) return undefined;
    const keys = signingKeysOf(secret);
    if (this.#opened.size >= MAX_KEPT) this.#opened.clear();
    this.#opened.set(endpointId, { sealed, keys });
    return keys;
  }

  #tryOpen(sealed: string, endpointId: string): string | undefined {
    try {
      return this.#secrets.open(sealed, SEAL_CONTEXT.webhook(endpointId));
    } catch {
      return undefined;
    }
  }
}
