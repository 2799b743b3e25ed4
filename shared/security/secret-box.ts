import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { AppError } from "../errors.ts";

export interface SecretKey {
  readonly keyId: string;
  readonly key: Buffer;
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";
const VERSION = "v1";
const KEY_ID_CHARS = 32;
const KEY_ENTRY = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

/** Parses SECRETS_KEY, a comma-separated list of `keyId:<base64 of 32 bytes>`; undefined when it is invalid. */
export function parseSecretKeys(text: string): readonly SecretKey[] | undefined {
  const keys: SecretKey[] = [];
  for (const entry of text.split(",")) {
    const [, keyId, base64] = KEY_ENTRY.exec(entry.trim()) ?? [];
    if (keyId === undefined || base64 === undefined) return undefined;
    const key = Buffer.from(base64, "base64");
    if (key.length !== KEY_BYTES || keys.some((other) => other.keyId === keyId)) return undefined;
    keys.push({ keyId, key });
  }
  return keys;
}

/**
 * Seals stored data that must be read again: vendors' credentials, brain and webhook secrets. AES-256-GCM; the sealed
 * text names its key, so that a new key can be put first while the old ones still open what they sealed.
 */
export class SecretBox {
  readonly #first: SecretKey;
  readonly #keys: ReadonlyMap<string, Buffer>;

  /** `secretsKey` has the format of SECRETS_KEY. Throws `AppError` bad_request when it is invalid. */
  constructor(secretsKey: string) {
    const keys = parseSecretKeys(secretsKey);
    if (!keys?.[0]) throw new AppError("bad_request", "SECRETS_KEY is not keyId:base64 of 32 bytes.");
    this.#first = keys[0];
    this.#keys = new Map(keys.map(({ keyId, key }) => [keyId, key]));
  }

  /** Id of the key that seals. */
  get sealingKeyId(): string {
    return this.#first.keyId;
  }

  /** Ids of all keys that open. */
  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /**
   * `context` says what the secret is and whose, for example `agent:agt_1:brain.secret`: the sealed text opens with
   * that context only, so nobody can move it to another row or column.
   */
  seal(secret: string, context: string): string {
    const { keyId, key } = this.#first;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(keyId, context));
    const sealed = [iv, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()];
    return [VERSION, keyId, Buffer.concat(sealed).toString("base64url")].join(".");
  }

  /**
   * Opens a sealed secret. Throws `AppError` internal when key, context, or text differ from those it was sealed
   * with.
   */
  open(sealed: string, context: string): string {
    const [version, keyId = "", body = "", ...rest] = sealed.split(".");
    const key = this.#keys.get(keyId);
    const bytes = Buffer.from(body, "base64url");
    if (version !== VERSION || rest.length > 0 || bytes.length < IV_BYTES + TAG_BYTES || keyId === "") {
      throw new AppError("internal", "A stored secret is not in the form that secrets are stored in.");
    }
    if (!key) {
      throw new AppError(
        "internal",
        `A stored secret was sealed with the key "${keyId.slice(0, KEY_ID_CHARS)}", which SECRETS_KEY on this server does not have. Its operator can add the key, or the secret can be entered again.`,
      );
    }
    try {
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(associatedData(keyId, context));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const secret = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
      return Buffer.concat([secret, decipher.final()]).toString("utf8");
    } catch (cause) {
      throw new AppError("internal", "A stored secret does not belong here or was changed.", { cause });
    }
  }
}

function associatedData(keyId: string, context: string): Buffer {
  return Buffer.from(JSON.stringify([VERSION, keyId, context]));
}
