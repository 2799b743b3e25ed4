/** In days: what organizations are told, and held to. Each counts from when the step before it was told of. */
export const TERMS = {
  /** From an invoice to when it is due. */
  dueDays: 14,
  /** From an overdue payment to suspension, and from a renewal that failed to the number's release. */
  graceDays: 7,
  /** Before a renewal. */
  noticeDays: 7,
  /** From suspension to the release of numbers. */
  afterSuspendDays: 30,
} as const;
