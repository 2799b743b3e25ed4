import { ApiError } from "./api-error.ts";
import { noteServerDate } from "./server-clock.ts";

export interface ApiRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer<T> {
  readonly data?: T;
  readonly error?: string;
  readonly code?: string;
  readonly details?: Record<string, unknown>;
}

/** One request to the dashboard API; gives the `data` of its envelope. Throws `ApiError`. */
export async function request<T>(
  path: string,
  { method = "POST", body, headers }: ApiRequest = {},
): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  noteServerDate(response.headers.get("date"));
  const answer = (await response.json().catch(() => ({}))) as Answer<T>;
  if (!response.ok || answer.data === undefined) throw new ApiError(response.status, answer);
  return answer.data;
}
