/** What goes over the one port between an app's frame and the dashboard. */

/** A refusal as it crosses the port. */
export interface WireError {
  readonly code: string;
  /** What to change. */
  readonly message: string;
  /** Whether the same call may be tried again. */
  readonly retryable?: boolean | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The app's window to the dashboard's, once, before the app's own code runs. */
export interface Hello {
  readonly kind: "parley-hello";
  /** The one that the frame's address carried: used once. */
  readonly nonce: string;
}

/** A call of the bridge. Nothing in it says who the app or the user is: the host knows whose port it is. */
export interface FrameRequest {
  readonly kind: "request";
  readonly id: number;
  readonly method: string;
  /** The arguments by name. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Of a file, besides the arguments. */
  readonly bytes?: ArrayBuffer | undefined;
}

/** From the app's frame. */
export type FromFrame =
  | FrameRequest
  /** Nobody waits for the call any more; of a subscription: it ends. */
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "height"; readonly px: number }
  | { readonly kind: "crash"; readonly message: string; readonly stack: string }
  /** Something of the app is on the screen. */
  | { readonly kind: "mounted" }
  /** The development server has built the app again. */
  | { readonly kind: "rebuilt" };

/** What the frame has to know of an operation to offer it to the app. */
export interface MethodShape {
  /** The names of the arguments, in their order. */
  readonly params: readonly string[];
  /** A file's bytes follow the arguments. */
  readonly takesBytes?: boolean;
  /** `subscription` lasts until it is ended, `answer` until the result. */
  readonly streams?: "subscription" | "answer";
  /** Within which the host answers. */
  readonly timeoutMs: number;
  /** Calls of it that the host allows at once. */
  readonly atOnce: number;
}

/** What the frame is told before the app runs. */
export interface FrameInit {
  readonly kind: "init";
  /** Of the bridge, such as 0.5.0. */
  readonly version: string;
  /** Addresses of the app's entry and of its stylesheet; null: it has none. */
  readonly entry: string;
  readonly style: string | null;
  /** Server-sent events of the development server; null for what is installed. */
  readonly liveReload: string | null;
  readonly context: Readonly<Record<string, unknown>> & {
    readonly appId: string;
    readonly pageId: string;
    readonly title: string;
  };
  readonly user: FrameUser | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly theme: ThemeMode;
  /** The operations that this dashboard has, by name, such as `data.list`. */
  readonly methods: Readonly<Record<string, MethodShape>>;
}

export interface FrameUser {
  readonly id: string;
  readonly role: string | null;
  readonly permissions: readonly string[];
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

export type ThemeMode = "light" | "dark";

/** To the app's frame. */
export type FromHost =
  | FrameInit
  /** Of a subscription: it is in force. */
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  /** Of a subscription in force: it ended. */
  | { readonly kind: "error"; readonly id: number; readonly error: WireError }
  | { readonly kind: "event"; readonly id: number; readonly event: unknown }
  /** Of a subscription: what happened meanwhile may have been missed, so it is read again. */
  | { readonly kind: "resync"; readonly id: number }
  | { readonly kind: "theme"; readonly mode: ThemeMode }
  | { readonly kind: "activated"; readonly contributionId: string }
  /** The bridge is closed, for this reason. */
  | { readonly kind: "closed"; readonly reason: string };

export const BRIDGE_VERSION = "0.5.0";
/** A well-behaved frame has fewer calls under way than the host allows; the others wait on its own side. */
export const MAX_CALLS_UNDER_WAY = 24;
/** The frame's side waits a little longer than the host, whose reason is the better one. */
export const FRAME_GRACE_MS = 2_000;
export const MAX_CRASH_CHARS = 8_000;
