import { AppError } from "@parley/shared/errors.ts";
import type { CarrierRequest } from "./carrier.ts";

/** Parameters of a callback sent as a form or in the query of a GET. */
export function formOf({ method, url, headers, body }: CarrierRequest): URLSearchParams {
  if (method === "GET") return new URL(url).searchParams;
  return isForm(headers["content-type"]) ? new URLSearchParams(body.toString("utf8")) : new URLSearchParams();
}

export function isForm(contentType: string | undefined): boolean {
  return contentType?.split(";")[0]?.trim().toLowerCase() === "application/x-www-form-urlencoded";
}

/** Throws `AppError` bad_request. */
export function jsonOf({ body }: CarrierRequest): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw new AppError("bad_request", "The callback is not JSON.", { cause });
  }
}

/** Groups a form's values by name, sorted by code unit. */
export function sortedEntries(form: URLSearchParams): [string, string[]][] {
  return [...new Set(form.keys())].sort().map((name) => [name, form.getAll(name).sort()]);
}
