/** The terms organizations are told and held to, in days. Each counts from the announcement of the step before. */
export const TERMS = {
  /** From issuing an invoice to its due date. */
  dueDays: 14,
  /** From an overdue payment to suspension, and from a failed renewal to the number's release. */
  graceDays: 7,
  /** Before a renewal. */
  noticeDays: 7,
  /** From suspension to the release of numbers. */
  afterSuspendDays: 30,
} as const;
