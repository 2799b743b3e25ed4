/**
 * A name could not be looked up. `code` is that of c-ares, or ETIMEOUT; ENOTFOUND means that the name definitely has
 * no address.
 */
export class LookupError extends Error {
  readonly code: string;

  constructor(host: string, code: string, cause?: unknown) {
    super(`${host} could not be looked up (${code})`, { cause });
    this.name = "LookupError";
    this.code = code;
  }
}

export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
