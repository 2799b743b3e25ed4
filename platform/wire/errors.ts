import { z } from "zod";

/** Why a call of the bridge was refused, and whether the same call may be tried again. */
export const BRIDGE_ERRORS = {
  /** The arguments do not fit; `details.fields` names each. */
  invalid_arguments: { retryable: false },
  /** There is no such method. */
  unknown_method: { retryable: false },
  /** The manifest does not have the scope, or nobody has agreed to it. */
  scope_missing: { retryable: false },
  /** The role of the user does not permit it. */
  role_forbidden: { retryable: false },
  /** What is named does not exist, for this app and organization. */
  not_found: { retryable: false },
  conflict: { retryable: false },
  /** The app is not installed any more, or another version is active: the frame must be loaded again. */
  app_gone: { retryable: false },
  /** The token of the frame ended; the host asks for another. */
  frame_expired: { retryable: true },
  /** More than the app may store, or spend. */
  quota_exceeded: { retryable: false },
  /** Too many calls in a minute or at once; `retryAfterMs` says when. */
  rate_limited: { retryable: true },
  /** Arguments, body or result are larger than the method allows. */
  too_large: { retryable: false },
  /** It took longer than the method allows; it may have happened. */
  deadline_exceeded: { retryable: true },
  /** The frame, the page or the server went while the call was under way. */
  canceled: { retryable: true },
  /** The host or server has no such system: the dashboard should be updated. */
  unavailable: { retryable: false },
  /** An address or host that may not be reached. */
  address_refused: { retryable: false },
  /** The system that was asked did not answer as it should. */
  vendor_failed: { retryable: true },
  /** Our own fault; `requestId` finds it in the logs. */
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

/** What a refused call throws, on the server and in the frame alike. */
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

  /** As it travels. */
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

/** The refusal of a method whose system does not exist here. */
export function unavailable(method: string): BridgeError {
  return new BridgeError(
    "unavailable",
    `${method} is unavailable here; the dashboard should be updated to a version that has it.`,
  );
}
