const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether this is an origin on this machine, as a development server has. No other origin may run as an app
 * that nobody installed.
 */
export function isDevOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && url.protocol === "http:" && LOOPBACK.has(url.hostname) && url.origin === text;
}

/** Address of an installed version's frame and files; ends with a slash. */
export function frameAddress(
  origin: string,
  { appId, version }: { readonly appId: string; readonly version: string },
): { readonly document: string; readonly files: string } {
  const base = `${origin}/_apps/${encodeURIComponent(appId)}/${encodeURIComponent(version)}`;
  return { document: `${base}/frame`, files: `${base}/files/` };
}

/** Address of a development server's frame; the origin passes `isDevOrigin`. */
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
