/** How large a bundle may be; the server holds uploads to the same. */
export const BUNDLE_LIMITS = {
  /** Of the zip. */
  zipBytes: 10 * 1024 * 1024,
  /** Of all files, unpacked. */
  totalBytes: 30 * 1024 * 1024,
  fileBytes: 10 * 1024 * 1024,
  files: 500,
  pathChars: 200,
} as const;

/** Files a bundle may have, by their ending, with what they are served as. */
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json",
  map: "application/json",
  txt: "text/plain; charset=utf-8",
  md: "text/plain; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  ico: "image/x-icon",
  woff: "font/woff",
  woff2: "font/woff2",
};

const PATH = /^[A-Za-z0-9._@-]+(\/[A-Za-z0-9._@-]+)*$/;

/** Why a path may not be in a bundle; undefined when it may. */
export function refusalOfPath(path: string): string | undefined {
  if (path.length > BUNDLE_LIMITS.pathChars) return `has more than ${BUNDLE_LIMITS.pathChars} characters`;
  if (!PATH.test(path) || path.split("/").some((name) => name === "." || name === ".."))
    return "is no plain path: letters, digits, . _ @ - and /, without . and .. as names";
  if (contentTypeOf(path) === undefined) return `must end with one of .${Object.keys(TYPES).join(", .")}`;
  return undefined;
}

/** What a file is served as; undefined for one that is not served. */
export function contentTypeOf(path: string): string | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined;
}
