/** What one call may cost. A call that exceeds one of these is refused with a typed error, never left waiting. */
export interface MethodLimits {
  /** Of the arguments as JSON, in UTF-8. */
  readonly requestBytes: number;
  /** Of bytes sent besides the arguments; 0 where there are none. */
  readonly bodyBytes: number;
  /** After it the call ends with `deadline_exceeded`. */
  readonly timeoutMs: number;
  /** Calls of one frame in any 60 seconds. */
  readonly perMinute: number;
  /** Calls of one frame at once; subscriptions count as long as they last. */
  readonly inFlight: number;
}

export const DEFAULT_LIMITS: MethodLimits = {
  requestBytes: 1024 * 1024,
  bodyBytes: 0,
  timeoutMs: 15_000,
  perMinute: 1_200,
  inFlight: 32,
};

/** Of all methods of one frame together. */
export const FRAME_LIMITS = { perMinute: 3_000, inFlight: 64, subscriptions: 50 } as const;

export const FILE_LIMITS = {
  fileBytes: 25 * 1024 * 1024,
  totalBytes: 1024 ** 3,
  files: 10_000,
} as const;

export const RECORD_LIMITS = {
  /** Of a record's `data` as JSON. */
  recordBytes: 64 * 1024,
  /** Objects and lists within each other. */
  depth: 16,
  /** Of one app in one organization. */
  records: 1_000_000,
  totalBytes: 1024 ** 3,
  listed: 1_000,
  conditions: 20,
  inValues: 200,
  expanded: 5,
} as const;

export const HTTP_LIMITS = { requestBytes: 1024 * 1024, responseBytes: 1024 * 1024 } as const;

export const MAX_CAMPAIGN_TARGETS = 1_000;
