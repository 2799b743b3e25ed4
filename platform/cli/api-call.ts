/** Parley refused a request or could not be reached. */
export class ApiError extends Error {
  /** HTTP status of the answer; undefined when none arrived. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    const { status } = this;
    return status === undefined || status >= 500 || status === 429 || status === 408;
  }
}

const ANSWER_WITHIN_MS = 10_000;

/** Where Parley is, and the key that authenticates the caller. */
export interface Connection {
  /** Parley's address, without a trailing slash. */
  readonly api: string;
  readonly key: string;
}

/** A signed-in person, for endpoints that do not accept a key. */
export interface SignedIn {
  readonly api: string;
  readonly token: string;
  readonly orgId?: string | undefined;
}

/**
 * Sends one request to Parley's API and returns the JSON of the answer. Throws `ApiError`, or the reason
 * `signal` was aborted with.
 */
export async function callApi(
  who: Connection | SignedIn | { readonly api: string },
  { method, path, signal, body, zip, extraMs = 0 }: ApiRequest,
): Promise<Record<string, unknown>> {
  const { api } = who;
  try {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: {
        ...credentialsOf(who),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(zip === undefined ? {} : { "content-type": "application/zip" }),
      },
      // Following a redirect would send the key along.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS + extraMs)]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(zip === undefined ? {} : { body: zip }),
    });
    return answerOf(response.status, await response.text());
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error;
    throw new ApiError(`Nothing answers at ${api} (${reasonOf(error)}).`);
  }
}

function credentialsOf(who: Connection | SignedIn | { readonly api: string }): Record<string, string> {
  if ("key" in who) return { "x-api-key": who.key };
  if (!("token" in who)) return {};
  return {
    authorization: `Bearer ${who.token}`,
    ...(who.orgId === undefined ? {} : { "x-org-id": who.orgId }),
  };
}

export interface ApiRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly signal: AbortSignal;
  readonly body?: unknown;
  /** Sent instead of `body`. */
  readonly zip?: Uint8Array<ArrayBuffer>;
  /** Extra time the answer may take beyond the usual limit. */
  readonly extraMs?: number;
}

function answerOf(status: number, text: string): Record<string, unknown> {
  const answer = parse(text);
  if (status >= 200 && status < 300 && answer !== undefined) return answer;
  const said = answer?.error;
  throw new ApiError(typeof said === "string" ? said : `It answered ${status}, not as Parley does.`, status);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Prefers the network's own error code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no answer in time";
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code: unknown = Reflect.get(cause, "code");
  return typeof code === "string" ? code : cause.message;
}
