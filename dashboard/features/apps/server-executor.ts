import type { Executor, HostCall } from "@parley/platform/host/executor.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import {
  type BridgeStreamMessage,
  bridgePaths,
  FRAME_TOKEN_HEADER,
  REQUEST_QUERY,
  responseSchema,
  streamMessageSchema,
} from "@parley/platform/wire/messages.ts";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { ApiError } from "../../api/api-error.ts";
import type { Session } from "../../api/session.ts";
import type { FrameToken } from "./frame-token.ts";

export interface ServerParts {
  readonly session: Session;
  readonly orgId: string;
  readonly appId: string;
  readonly token: FrameToken;
}

const RETRY_MS = [500, 1_000, 2_000, 5_000, 15_000] as const;
/** One call a request: the server counts none of them together. */
const CALL_ID = 1;

/** Brings calls to the server, which decides. Subscriptions are opened again when their connection is lost. */
export function createServerExecutor(parts: ServerParts): Executor {
  return (call) => {
    if (call.method.streams === "subscription") return subscribe(call, parts);
    if (call.method.streams === "answer") return streamed(call, parts);
    return call.method.bytes === undefined ? plain(call, parts) : bytes(call, parts);
  };
}

async function plain(call: HostCall, parts: ServerParts): Promise<unknown> {
  const { call: path } = bridgePaths(parts.orgId, parts.appId);
  return resultOf(await ask(path, call, parts, { body: requestOf(call) }));
}

/** A file is the body, or the answer. */
async function bytes(call: HostCall, parts: ServerParts): Promise<unknown> {
  const { bytes: path } = bridgePaths(parts.orgId, parts.appId);
  const query = new URLSearchParams({ [REQUEST_QUERY]: JSON.stringify(requestOf(call)) });
  const type = "application/octet-stream";
  const file = new Blob(call.bytes === undefined ? [] : [call.bytes], { type });
  const response = await ask(`${path}?${query}`, call, parts, { file });
  if (response.headers.get("content-type")?.startsWith(type)) return response.arrayBuffer();
  return resultOf(response);
}

async function streamed(call: HostCall, parts: ServerParts): Promise<unknown> {
  for await (const message of await messages(call, parts)) {
    if (message.kind === "event") call.onEvent(message.event);
    else return settled(message);
  }
  throw new BridgeError("canceled", "The connection was lost before the answer was complete.");
}

/** Resolves when it is in force for the first time, and goes on until the app ends it. */
function subscribe(call: HostCall, parts: ServerParts): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let isInForce = false;
    const begun = (): void => {
      if (isInForce) call.onResync();
      isInForce = true;
      resolve(null);
    };
    const ended = (error: BridgeError): void => {
      if (isInForce) call.onEnd(error);
      reject(error);
    };
    void keepSubscribed(call, parts, { begun, ended });
  });
}

async function keepSubscribed(
  call: HostCall,
  parts: ServerParts,
  { begun, ended }: { readonly begun: () => void; readonly ended: (error: BridgeError) => void },
): Promise<void> {
  let failures = 0;
  while (!call.signal.aborted) {
    try {
      for await (const message of await messages(call, parts)) {
        if (message.kind === "error") throw BridgeError.from(message.error);
        if (message.kind === "event") call.onEvent(message.event);
        else begun();
        failures = 0;
      }
    } catch (error) {
      const refused = error instanceof BridgeError ? error : undefined;
      if (call.signal.aborted) return;
      if (refused !== undefined && !refused.retryable) return ended(refused);
    }
    failures += 1;
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? 0, call.signal);
  }
}

async function messages(call: HostCall, parts: ServerParts): Promise<AsyncIterable<BridgeStreamMessage>> {
  const { stream: path } = bridgePaths(parts.orgId, parts.appId);
  const { body } = await ask(path, call, parts, { body: requestOf(call) });
  if (body === null) throw new BridgeError("vendor_failed", "The server answered without a stream.");
  return read(body);
}

async function* read(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<BridgeStreamMessage> {
  const reader = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      yield streamMessageSchema.parse(JSON.parse(next.value.data));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function ask(
  path: string,
  { signal }: HostCall,
  { session, orgId, token }: ServerParts,
  content: { readonly body: unknown } | { readonly file: Blob },
): Promise<Response> {
  try {
    const headers = { [FRAME_TOKEN_HEADER]: await token.get() };
    return await session.open(path, { method: "POST", orgId, headers, signal, ...content });
  } catch (error) {
    throw bridgeErrorOf(error);
  }
}

function requestOf({ method, args: params }: HostCall): object {
  return { kind: "request", id: CALL_ID, method: method.name, params };
}

async function resultOf(response: Response): Promise<unknown> {
  const parsed = responseSchema.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success)
    throw new BridgeError("vendor_failed", "The server's answer is not one of the bridge. Reload the page.");
  return settled(parsed.data);
}

function settled(message: Exclude<BridgeStreamMessage, { kind: "event" }>): unknown {
  if (message.kind === "error") throw BridgeError.from(message.error);
  return message.result;
}

/** What the API refused before it was a call of the bridge, or that it was not reached. */
function bridgeErrorOf(error: unknown): BridgeError {
  if (!(error instanceof ApiError))
    return new BridgeError("canceled", "The server was not reached. Try again.");
  if (error.status === 404 || error.status === 410) return new BridgeError("app_gone", error.message);
  if (error.status === 403) return new BridgeError("role_forbidden", error.message);
  if (error.status === 429) return new BridgeError("rate_limited", error.message);
  return new BridgeError("internal", error.message);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
