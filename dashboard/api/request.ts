import { ApiError } from "./api-error.ts";
import { noteServerDate } from "./server-clock.ts";

export interface ApiRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  /** Sent as it is, under its own type, instead of `body`. */
  readonly file?: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

interface Answer<T> {
  readonly data?: T;
  readonly error?: string;
  readonly code?: string;
  readonly details?: Record<string, unknown>;
}

/** Sends one request to the dashboard API; returns the `data` of its envelope. Throws `ApiError`. */
export async function request<T>(path: string, options: ApiRequest = {}): Promise<T> {
  const response = await open(path, options);
  const answer = await read<T>(response);
  if (answer.data === undefined) throw new ApiError(response.status, answer);
  return answer.data;
}

/** Sends one request and returns the open response, for streaming. Throws `ApiError`. */
export async function open(
  path: string,
  { method = "POST", body, file, headers, signal }: ApiRequest = {},
): Promise<Response> {
  const response = await fetch(path, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(file === undefined ? {} : { body: file }),
    ...(signal === undefined ? {} : { signal }),
  });
  noteServerDate(response.headers.get("date"));
  if (!response.ok) throw new ApiError(response.status, await read(response));
  return response;
}

async function read<T>(response: Response): Promise<Answer<T>> {
  return (await response.json().catch(() => ({}))) as Answer<T>;
}
