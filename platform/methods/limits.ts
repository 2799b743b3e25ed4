/** What one call may cost. A call over a limit is refused with a typed error, never left waiting. */
export interface MethodLimits {
  /** The arguments as JSON, in UTF-8 bytes. */
  readonly requestBytes: number;
  /** Bytes sent besides the arguments; 0 where there are none. */
  readonly bodyBytes: number;
  /** The call then ends with `deadline_exceeded`. */
  readonly timeoutMs: number;
  /** Calls per frame in any 60 seconds. */
  readonly perMinute: number;
  /** Concurrent calls per frame; an open subscription counts as one. */
  readonly inFlight: number;
}

export const DEFAULT_LIMITS: MethodLimits = {
  requestBytes: 1024 * 1024,
  bodyBytes: 0,
  timeoutMs: 15_000,
  perMinute: 1_200,
  inFlight: 32,
};

/** For all methods of one frame together. */
export const FRAME_LIMITS = { perMinute: 3_000, inFlight: 64, subscriptions: 50 } as const;

export const FILE_LIMITS = {
  fileBytes: 25 * 1024 * 1024,
  totalBytes: 1024 ** 3,
  files: 10_000,
} as const;

export const RECORD_LIMITS = {
  /** A record's `data` as JSON. */
  recordBytes: 64 * 1024,
  /** Nesting of objects and lists. */
  depth: 16,
  /** Per app and organization. */
  records: 1_000_000,
  totalBytes: 1024 ** 3,
  listed: 1_000,
  conditions: 20,
  inValues: 200,
  expanded: 5,
} as const;

export const HTTP_LIMITS = { requestBytes: 1024 * 1024, responseBytes: 1024 * 1024 } as const;

export const MAX_CAMPAIGN_TARGETS = 1_000;
