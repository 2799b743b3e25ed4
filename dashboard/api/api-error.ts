/** The API refused a request; its message says what to change. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, body: { error?: string; code?: string; details?: Record<string, unknown> }) {
    super(body.error ?? "Something went wrong. Try again.");
    this.name = "ApiError";
    this.status = status;
    this.code = body.code ?? "";
    this.details = body.details ?? {};
  }
}

/** What was entered cannot be used; the message says what to change. */
export class InputError extends Error {
  override readonly name = "InputError";
}

/** Messages by request field, as sentences; empty when no field is at fault. */
export function faultsOf(error: unknown): Readonly<Record<string, string>> {
  const texts = Object.entries(fieldTextsOf(error));
  return Object.fromEntries(texts.map(([field, said]) => [field, sentence(said)]));
}

/** Messages by request field, to go on with the field's name: "is required". */
export function fieldTextsOf(error: unknown): Readonly<Record<string, string>> {
  const fields: unknown = error instanceof ApiError ? error.details.fields : undefined;
  if (typeof fields !== "object" || fields === null) return {};
  return Object.fromEntries(Object.entries(fields).map(([field, said]) => [field, String(said)]));
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** Text for a person when something failed. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof InputError) return error.message;
  return "Parley can’t be reached. Check your connection and try again.";
}
