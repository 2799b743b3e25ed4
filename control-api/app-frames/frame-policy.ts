/** What a frame may load, beyond the host's own runtime. */
export interface FrameSources {
  /** Of this very server, as browsers reach it. */
  readonly origin: string;
  /** Where the app's files are: an address that ends with a slash, or a development server's origin. */
  readonly files: string;
  /** A development server tells when it has built the app again; nothing else is connected to. */
  readonly connect?: string;
  /** Who may show the frame. */
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

/** Nothing here is told to anybody, guessed at or looked up before it is asked for. */
const COMMON = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-dns-prefetch-control": "off",
  "permissions-policy": NO_DOORS.map((door) => `${door}=()`).join(", "),
  // A document without an origin fetches modules across origins, its own server's included.
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
} as const;

/**
 * Headers of the document that an app runs in. It has no origin, whoever shows it and however: the policy sandboxes by
 * itself. It connects to nothing, and makes no document of its own, in which what the runtime closed would be open again.
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

/** Headers of everything else: opened by itself it is a document that can do nothing. */
export const FILE_HEADERS: Readonly<Record<string, string>> = {
  ...COMMON,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};
