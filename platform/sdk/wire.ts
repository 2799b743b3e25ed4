/** Messages on the one port between an app's frame and the dashboard. */

/** A refusal as it crosses the port. */
export interface WireError {
  readonly code: string;
  /** What to change. */
  readonly message: string;
  /** Whether the same call may be retried. */
  readonly retryable?: boolean | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Sent once from the app's window to the dashboard's, before the app's code runs. */
export interface Hello {
  readonly kind: "parley-hello";
  /** The single-use nonce from the frame's address. */
  readonly nonce: string;
}

/** A bridge call. It does not name app or user: the host knows whose port it is. */
export interface FrameRequest {
  readonly kind: "request";
  readonly id: number;
  readonly method: string;
  /** The arguments by name. */
  readonly params: Readonly<Record<string, unknown>>;
  /** A file's content, besides the arguments. */
  readonly bytes?: ArrayBuffer | undefined;
}

/** Messages from the app's frame. */
export type FromFrame =
  | FrameRequest
  /** The caller no longer waits; ends a subscription. */
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "height"; readonly px: number }
  | { readonly kind: "crash"; readonly message: string; readonly stack: string }
  /** The app has rendered something. */
  | { readonly kind: "mounted" }
  /** The answer to `ping`. */
  | { readonly kind: "alive" }
  /** The development server has rebuilt the app. */
  | { readonly kind: "rebuilt" };

/** What the frame needs to know about an operation to offer it to the app. */
export interface MethodShape {
  /** Argument names in order. */
  readonly params: readonly string[];
  /** A file's bytes follow the arguments. */
  readonly takesBytes?: boolean;
  /** `subscription` lasts until ended; `answer` ends with the result. */
  readonly streams?: "subscription" | "answer";
  /** How long the host takes to answer at most. */
  readonly timeoutMs: number;
  /** Calls of this operation the host allows at once. */
  readonly atOnce: number;
}

/** What the frame learns before the app runs. */
export interface FrameInit {
  readonly kind: "init";
  /** Version of the bridge, such as 0.5.0. */
  readonly version: string;
  /** Address of the app's entry script. */
  readonly entry: string;
  readonly style: string | null;
  /** Address of the development server's server-sent events; null for an installed app. */
  readonly liveReload: string | null;
  readonly context: Readonly<Record<string, unknown>> & {
    readonly appId: string;
    readonly pageId: string;
    readonly title: string;
  };
  readonly user: FrameUser | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly theme: ThemeMode;
  /** The dashboard's operations by name, such as `data.list`. */
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

/** Messages to the app's frame. */
export type FromHost =
  | FrameInit
  /** For a subscription: now active. */
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  /** For an active subscription: ended. */
  | { readonly kind: "error"; readonly id: number; readonly error: WireError }
  | { readonly kind: "event"; readonly id: number; readonly event: unknown }
  /** Subscriptions only: events may have been missed, so read again. */
  | { readonly kind: "resync"; readonly id: number }
  | { readonly kind: "theme"; readonly mode: ThemeMode }
  /** Asks whether the frame still does anything. */
  | { readonly kind: "ping" }
  /** Whether the app may take the focus; not while somebody types in the dashboard. */
  | { readonly kind: "focus"; readonly may: boolean }
  | { readonly kind: "activated"; readonly contributionId: string }
  /** The bridge is closed for this reason. */
  | { readonly kind: "closed"; readonly reason: string };

export const BRIDGE_VERSION = "0.5.0";
/** A well-behaved frame keeps fewer calls under way than the host allows and queues the rest. */
export const MAX_CALLS_UNDER_WAY = 24;
/** The frame waits a little longer than the host, whose error says more. */
export const FRAME_GRACE_MS = 2_000;
export const MAX_CRASH_CHARS = 8_000;
