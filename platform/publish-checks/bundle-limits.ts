/** Size limits of a bundle; the server applies them to uploads too. */
export const BUNDLE_LIMITS = {
  /** Size of the zip. */
  zipBytes: 10 * 1024 * 1024,
  /** Unpacked size of all files. */
  totalBytes: 30 * 1024 * 1024,
  fileBytes: 10 * 1024 * 1024,
  files: 500,
  pathChars: 200,
  /** It is read with each call of a frame. */
  manifestBytes: 512 * 1024,
  /** Nesting of objects and lists in the manifest. */
  manifestDepth: 32,
} as const;

/** File extensions a bundle may have, with the content type of each. */
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

/** Why a path is not allowed in a bundle; undefined when it is. */
export function refusalOfPath(path: string): string | undefined {
  if (path.length > BUNDLE_LIMITS.pathChars) return `has more than ${BUNDLE_LIMITS.pathChars} characters`;
  if (!PATH.test(path) || path.split("/").some((name) => name === "." || name === ".."))
    return "is no plain path: letters, digits, . _ @ - and /, without . and .. as names";
  if (contentTypeOf(path) === undefined) return `must end with one of .${Object.keys(TYPES).join(", .")}`;
  return undefined;
}

/** The content type a file is served with; undefined for a file that is not served. */
export function contentTypeOf(path: string): string | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined;
}
