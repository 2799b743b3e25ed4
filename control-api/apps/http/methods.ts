import { type HttpRequest, type HttpResponse, SECRET_REFERENCE } from "@parley/platform/methods/http.ts";
import { HTTP_LIMITS } from "@parley/platform/methods/limits.ts";
import { isGranted } from "@parley/platform/methods/scopes.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Dispatchers } from "@parley/shared/net/dispatchers.ts";
import { guardedFetch } from "@parley/shared/net/guarded-fetch.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { CapabilityError } from "../../integrations/capability-error.ts";
import type { Integrations } from "../../integrations/module.ts";
import type { DataKeys } from "../../sealed/data-keys.ts";
import type { BridgeCaller } from "../bridge/caller.ts";
import type { BridgeCall, Handlers } from "../bridge/handlers.ts";
import { openSecret } from "../installs/settings.ts";
import { capabilityRefusal } from "../methods/capability-refusal.ts";
import type { HostBreakers } from "./host-breakers.ts";

/** Headers that say how a request travels are ours to set; cookies are refused. */
const REFUSED_HEADERS =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|cookie2?|proxy-.*|sec-.*|x-forwarded-.*|forwarded)$/i;
/** Leaves time to renew a token first. */
const AUTHORIZE_MS = 15_000;
const HIDDEN_HEADERS: ReadonlySet<string> = new Set(["set-cookie", "set-cookie2"]);

export interface HttpFetchDeps {
  readonly db: Kysely<Tables>;
  readonly dataKeys: DataKeys;
  readonly limits: Limits;
  readonly dispatchers: Dispatchers;
  readonly breakers: HostBreakers;
  /** Headers of a connected account. Throws `CapabilityError`. */
  readonly authorize: Integrations["authorize"];
}

/** `http.fetch`: manifest hosts only, https, no redirects; frames never see the secrets and credentials it adds. */
export function httpMethods(deps: HttpFetchDeps): Handlers {
  return { "http.fetch": ({ request }, call) => fetchFor(request, call, deps) };
}

async function fetchFor(
  request: HttpRequest,
  { caller, signal }: BridgeCall,
  deps: HttpFetchDeps,
): Promise<HttpResponse> {
  const url = new URL(request.url);
  if (url.username !== "" || url.password !== "")
    throw new BridgeError(
      "invalid_arguments",
      "request.url may not have a name and password; send a header.",
    );
  const { orgId } = caller;
  const filled = await fillSecrets(request, url.hostname, caller, deps);
  deps.breakers.assertClosed(orgId, url.hostname);
  await deps.limits.take("app_http_per_organization", orgId);
  const authorized = await headersOfConnection(request, { orgId, signal }, deps);
  const get = guardedFetch({
    dispatcher: () => deps.dispatchers.of(orgId),
    maxResponseBytes: HTTP_LIMITS.responseBytes,
    signal,
  });
  try {
    const response = await get(filled.url, {
      method: request.method ?? "GET",
      headers: { ...filled.headers, ...authorized },
      ...(filled.body === undefined ? {} : { body: filled.body }),
    });
    const body = await response.text();
    if (response.status >= 500) deps.breakers.failed(orgId, url.hostname);
    else deps.breakers.succeeded(orgId, url.hostname);
    return { status: response.status, headers: headersOf(response.headers), body };
  } catch (error) {
    throw refusalOf(error, url.hostname, () => deps.breakers.failed(orgId, url.hostname));
  }
}

/** Headers of the connection; an app may not send any of them itself. Throws `BridgeError`. */
async function headersOfConnection(
  { url, headers = {}, connection }: HttpRequest,
  { orgId, signal }: { readonly orgId: string; readonly signal: AbortSignal },
  { authorize }: HttpFetchDeps,
): Promise<Readonly<Record<string, string>>> {
  if (connection === undefined) return {};
  const { hostname: host } = new URL(url);
  try {
    const authorized = await authorize(
      { orgId, providerId: connection, host },
      { signal, deadlineMs: AUTHORIZE_MS },
    );
    const twice = Object.keys(headers).find((name) => Object.hasOwn(authorized, name.toLowerCase()));
    if (twice === undefined) return authorized;
    throw new BridgeError("invalid_arguments", `The header ${twice} is the connection's own; leave it out.`);
  } catch (error) {
    throw error instanceof CapabilityError ? capabilityRefusal(error) : error;
  }
}

interface Filled {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** Fills in named secrets. Throws `BridgeError` for another host's secret, and for a header apps may not send. */
async function fillSecrets(
  { url, headers = {}, body }: HttpRequest,
  host: string,
  caller: BridgeCaller,
  deps: HttpFetchDeps,
): Promise<Filled> {
  const refused = Object.keys(headers).find((name) => REFUSED_HEADERS.test(name));
  if (refused !== undefined)
    throw new BridgeError("invalid_arguments", `The header ${refused} is not an app's to send.`);
  // Built from the parsed URL, not from the text: `https:/a.example///b.example` is a path of a.example.
  const { origin, pathname, search } = new URL(url);
  const path = decodeBraces(`${pathname}${search}`);
  const names = [
    ...`${path}\n${Object.values(headers).join("\n")}\n${body ?? ""}`.matchAll(SECRET_REFERENCE),
  ].map(([, name = ""]) => name);
  const values = new Map<string, string>();
  for (const name of new Set(names)) values.set(name, await secretFor(name, host, caller, deps));
  const fill = (text: string, encode = (value: string) => value): string =>
    text.replaceAll(SECRET_REFERENCE, (_, name: string) => encode(values.get(name) ?? ""));
  const filled = Object.entries(headers).map(([name, value]): [string, string] => [name, fill(value)]);
  if (filled.some(([, value]) => /[\r\n\0]/.test(value)))
    throw new BridgeError("invalid_arguments", "A secret with line breaks cannot be sent in a header.");
  return {
    url: new URL(`${origin}${fill(path, encodeURIComponent)}`).href,
    headers: Object.fromEntries(filled),
    body: body === undefined ? undefined : fill(body),
  };
}

function decodeBraces(text: string): string {
  return text.replaceAll(/%7B/gi, "{").replaceAll(/%7D/gi, "}");
}

async function secretFor(
  name: string,
  host: string,
  { orgId, appId, manifest }: BridgeCaller,
  deps: HttpFetchDeps,
): Promise<string> {
  const setting = manifest.settings?.find(({ key, type }) => key === name && type === "secret");
  if (!setting) throw new BridgeError("invalid_arguments", `The manifest has no secret ${name}.`);
  const hosts = (setting.hosts ?? []).map((one) => `http:${one}`);
  if (!isGranted(hosts, `http:${host}`))
    throw new BridgeError(
      "address_refused",
      `The secret ${name} is not sent to ${host}: its setting names other hosts.`,
    );
  return openSecret(deps.db, { orgId, appId }, name, deps.dataKeys);
}

function headersOf(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !HIDDEN_HEADERS.has(name)));
}

/** Quotes nothing of the request, which may contain a secret. */
function refusalOf(error: unknown, host: string, failed: () => void): unknown {
  if (error instanceof BridgeError) return error;
  if (error instanceof AppError) return error;
  failed();
  const why =
    error instanceof Error && error.name === "AbortError" ? "did not answer in time" : "could not be asked";
  return new BridgeError("vendor_failed", `${host} ${why}.`);
}
