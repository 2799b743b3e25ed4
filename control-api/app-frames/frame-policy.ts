/** What a frame may load besides the host's runtime. */
export interface FrameSources {
  /** This server's origin, as browsers reach it. */
  readonly origin: string;
  /** Where the app's files are: an address that ends with a slash, or a development server's origin. */
  readonly files: string;
  /** A development server that reports rebuilds; frames connect nowhere else. */
  readonly connect?: string;
  /** The origins that may embed the frame. */
  readonly ancestors: readonly string[];
}

const NO_DOORS = [
  ...["accelerometer", "autoplay", "camera", "clipboard-read", "clipboard-write", "display-capture"],
  ...[
    "encrypted-media",
    "fullscreen",
    "gamepad",
    "geolocation",
    "gyroscope",
    "hid",
    "idle-detection",
    "local-fonts",
  ],
  ...["magnetometer", "microphone", "midi", "otp-credentials", "payment", "picture-in-picture"],
  ...["publickey-credentials-get", "screen-wake-lock", "serial", "storage-access", "usb"],
  ...["window-management", "xr-spatial-tracking"],
];

/** Denies device features, referrers, content sniffing and DNS prefetching. */
const COMMON = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-dns-prefetch-control": "off",
  "permissions-policy": NO_DOORS.map((door) => `${door}=()`).join(", "),
  // A document with an opaque origin fetches modules cross-origin, even from its own server.
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
} as const;

/**
 * Headers of the document an app runs in. Its origin is opaque however it is embedded, as the policy sandboxes it. It
 * connects to nothing and creates no documents, which would undo what the runtime locked down.
 */
export function frameHeaders({ origin, files, connect, ancestors }: FrameSources): Record<string, string> {
  const own = `${origin}/_frame/`;
  const policy = [
    "sandbox allow-scripts allow-forms allow-popups",
    "default-src 'none'",
    `script-src ${own} ${files}`,
    `style-src ${own} ${files} 'unsafe-inline'`,
    `img-src ${files} data: blob:`,
    `font-src ${files} data:`,
    `media-src ${files} data: blob:`,
    `connect-src ${connect ?? "'none'"}`,
    ...["frame-src", "worker-src", "object-src", "base-uri", "form-action", "manifest-src"].map(
      (directive) => `${directive} 'none'`,
    ),
    `frame-ancestors ${ancestors.join(" ")}`,
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");
  return { ...COMMON, "content-security-policy": policy, "cache-control": "no-store" };
}

/** Headers of all other files: opened directly, they are documents that can do nothing. */
export const FILE_HEADERS: Readonly<Record<string, string>> = {
  ...COMMON,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};
