/** Supplies tokens for connections that do not authorize with the credentials themselves. */
export interface TokenSource {
  /** A valid token; undefined when the credentials need none. Throws `VendorError` when there is none to be had. */
  token(): Promise<string | undefined>;
  /** Another token, after the vendor refused this one. Throws as `token`. */
  renewed(refused: string): Promise<string | undefined>;
}
