/** What the API refused, in its own words, which say what to change. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, body: { error?: string; code?: string; details?: Record<string, unknown> }) {
    super(body.error ?? "Something went wrong; try again.");
    this.name = "ApiError";
    this.status = status;
    this.code = body.code ?? "";
    this.details = body.details ?? {};
  }
}

/** What a person reads when something failed. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return "Parley cannot be reached; look at your connection and try again.";
}
