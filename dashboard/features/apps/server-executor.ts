import type { Executor, HostCall } from "@parley/platform/host/executor.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { bridgePaths, REQUEST_QUERY, streamMessageSchema } from "@parley/platform/wire/messages.ts";
import type { Session } from "../../api/session.ts";
import type { FrameToken } from "./frame-token.ts";
import { pageStreamOf } from "./page-stream.ts";
import { readStream } from "./read-stream.ts";
import { ask, resultOf, sendCall, settled } from "./send-call.ts";

export interface ServerParts {
  readonly session: Session;
  readonly orgId: string;
  readonly appId: string;
  readonly token: FrameToken;
  /** Told when the server refuses a call because the frame may not run as it does. */
  readonly onAppGone: () => void;
}

/** Each request carries one call, so the id need not be unique. */
const CALL_ID = 1;

/** Sends calls to the server, which decides. Lost subscriptions are reopened. */
export function createServerExecutor(parts: ServerParts): Executor {
  const subscriptions = pageStreamOf(parts.session, parts.orgId);
  const send: Executor = (call) => {
    if (call.method.streams === "subscription") return subscriptions.subscribe(call, parts);
    if (call.method.streams === "answer") return streamed(call, parts);
    return call.method.bytes === undefined ? plain(call, parts) : bytes(call, parts);
  };
  return async (call) => {
    try {
      return await send(call);
    } catch (error) {
      if (error instanceof BridgeError && error.code === "app_gone") parts.onAppGone();
      throw error;
    }
  };
}

function plain(call: HostCall, parts: ServerParts): Promise<unknown> {
  const { call: path } = bridgePaths(parts.orgId, parts.appId);
  return sendCall(path, parts, { body: requestOf(call), signal: call.signal });
}

/** A file is the request body or the answer. */
async function bytes(call: HostCall, parts: ServerParts): Promise<unknown> {
  const { bytes: path } = bridgePaths(parts.orgId, parts.appId);
  const query = new URLSearchParams({ [REQUEST_QUERY]: JSON.stringify(requestOf(call)) });
  const type = "application/octet-stream";
  const file = new Blob(call.bytes === undefined ? [] : [call.bytes], { type });
  const response = await ask(`${path}?${query}`, parts, { file, signal: call.signal });
  if (response.headers.get("content-type")?.startsWith(type)) return response.arrayBuffer();
  return resultOf(response);
}

async function streamed(call: HostCall, parts: ServerParts): Promise<unknown> {
  const { stream: path } = bridgePaths(parts.orgId, parts.appId);
  const { body } = await ask(path, parts, { body: requestOf(call), signal: call.signal });
  for await (const data of readStream(body)) {
    const message = streamMessageSchema.parse(data);
    if (message.kind === "event") call.onEvent(message.event);
    else return settled(message);
  }
  throw new BridgeError("canceled", "The connection was lost before the answer was complete.");
}

function requestOf({ method, args: params }: HostCall): object {
  return { kind: "request", id: CALL_ID, method: method.name, params };
}
