/** What a connection's requests are authorized with, where that is not the credentials themselves. */
export interface TokenSource {
  /** One that is good now; undefined when the credentials need none. Throws `VendorError` when none is to be had. */
  token(): Promise<string | undefined>;
  /** Another one, after the vendor refused this one. Throws as `token`. */
  renewed(refused: string): Promise<string | undefined>;
}
