const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** An origin of this machine, as a development server has it: nothing else is run as an app that nobody installed. */
export function isDevOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && url.protocol === "http:" && LOOPBACK.has(url.hostname) && url.origin === text;
}

/** Where the frame of an installed version is, and its files: an address that ends with a slash. */
export function frameAddress(
  origin: string,
  { appId, version }: { readonly appId: string; readonly version: string },
): { readonly document: string; readonly files: string } {
  const base = `${origin}/_apps/${encodeURIComponent(appId)}/${encodeURIComponent(version)}`;
  return { document: `${base}/frame`, files: `${base}/files/` };
}

/** The same of a development server, whose origin `isDevOrigin` holds. */
export function devFrameAddress(
  origin: string,
  { appId, devOrigin }: { readonly appId: string; readonly devOrigin: string },
): { readonly document: string; readonly files: string } {
  const query = new URLSearchParams({ origin: devOrigin });
  return {
    document: `${origin}/_apps/${encodeURIComponent(appId)}/dev/frame?${query}`,
    files: `${devOrigin}/`,
  };
}
