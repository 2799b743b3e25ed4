import { z } from "zod";

/** Why a bridge call was refused, and whether the same call may be retried. */
export const BRIDGE_ERRORS = {
  /** The arguments are invalid; `details.fields` names each. */
  invalid_arguments: { retryable: false },
  /** There is no such method. */
  unknown_method: { retryable: false },
  /** The manifest lacks the scope, or nobody has agreed to it. */
  scope_missing: { retryable: false },
  /** The user's role does not permit the call. */
  role_forbidden: { retryable: false },
  /** What the call names does not exist for this app and organization. */
  not_found: { retryable: false },
  conflict: { retryable: false },
  /** The app was uninstalled, or another version is active: reload the frame. */
  app_gone: { retryable: false },
  /** The frame's token expired; the host asks for another. */
  frame_expired: { retryable: true },
  /** Over what the app may store or spend. */
  quota_exceeded: { retryable: false },
  /** Too many calls per minute or at once; `retryAfterMs` says when to retry. */
  rate_limited: { retryable: true },
  /** Arguments, body or result are larger than the method allows. */
  too_large: { retryable: false },
  /** The call took longer than the method allows; its effect may have happened. */
  deadline_exceeded: { retryable: true },
  /** The frame, the page or the server went away during the call. */
  canceled: { retryable: true },
  /** The host or server lacks the system: update the dashboard. */
  unavailable: { retryable: false },
  /** The address or host may not be reached. */
  address_refused: { retryable: false },
  /** The system behind the call did not answer properly. */
  vendor_failed: { retryable: true },
  /** An error on Parley's side; `requestId` finds it in the logs. */
  internal: { retryable: true },
} as const satisfies Readonly<Record<string, { readonly retryable: boolean }>>;
export type BridgeErrorCode = keyof typeof BRIDGE_ERRORS;

const CODES = Object.keys(BRIDGE_ERRORS) as [BridgeErrorCode, ...BridgeErrorCode[]];

export const bridgeErrorSchema = z.object({
  code: z.enum(CODES),
  /** What to change, for whoever builds or uses the app. */
  message: z.string(),
  retryable: z.boolean(),
  retryAfterMs: z.int().min(0).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  requestId: z.string().optional(),
});
export type BridgeErrorBody = z.infer<typeof bridgeErrorSchema>;

/** Thrown by a refused call, on the server and in the frame alike. */
export class BridgeError extends Error {
  readonly code: BridgeErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly requestId: string | undefined;

  constructor(
    code: BridgeErrorCode,
    message: string,
    more: Partial<Omit<BridgeErrorBody, "code" | "message">> = {},
  ) {
    super(message);
    this.name = "BridgeError";
    this.code = code;
    this.retryable = more.retryable ?? BRIDGE_ERRORS[code].retryable;
    this.retryAfterMs = more.retryAfterMs;
    this.details = more.details;
    this.requestId = more.requestId;
  }

  /** The wire form. */
  toBody(): BridgeErrorBody {
    const { code, message, retryable, retryAfterMs, details, requestId } = this;
    return {
      code,
      message,
      retryable,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(details && { details }),
      ...(requestId && { requestId }),
    };
  }

  static from(body: BridgeErrorBody): BridgeError {
    return new BridgeError(body.code, body.message, body);
  }
}

/** Refuses a method whose system does not exist here. */
export function unavailable(method: string): BridgeError {
  return new BridgeError(
    "unavailable",
    `${method} is unavailable here; the dashboard should be updated to a version that has it.`,
  );
}
