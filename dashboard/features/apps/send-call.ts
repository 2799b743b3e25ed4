import { BridgeError } from "@parley/platform/wire/errors.ts";
import {
  type BridgeStreamMessage,
  FRAME_TOKEN_HEADER,
  responseSchema,
} from "@parley/platform/wire/messages.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Session } from "../../api/session.ts";
import type { FrameToken } from "./frame-token.ts";

/** By which a frame's calls are sent. */
export interface SendingParts {
  readonly session: Pick<Session, "open">;
  readonly orgId: string;
  readonly token: Pick<FrameToken, "get">;
}

/** Sends a frame's call and reads its answer. Throws `BridgeError`. */
export async function sendCall(
  path: string,
  parts: SendingParts,
  content: { readonly body: unknown; readonly signal?: AbortSignal },
): Promise<unknown> {
  return resultOf(await ask(path, parts, content));
}

/** Sends a frame's call; returns the open response. Throws `BridgeError`. */
export async function ask(
  path: string,
  { session, orgId, token }: SendingParts,
  content: ({ readonly body: unknown } | { readonly file: Blob }) & { readonly signal?: AbortSignal },
): Promise<Response> {
  try {
    const headers = { [FRAME_TOKEN_HEADER]: await token.get() };
    return await session.open(path, { method: "POST", orgId, headers, ...content });
  } catch (error) {
    throw bridgeErrorOf(error);
  }
}

/** The result in an answer. Throws `BridgeError`. */
export async function resultOf(response: Response): Promise<unknown> {
  const parsed = responseSchema.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success)
    throw new BridgeError("vendor_failed", "The server's answer is not one of the bridge. Reload the page.");
  return settled(parsed.data);
}

/** The result in a message. Throws `BridgeError`. */
export function settled(message: Exclude<BridgeStreamMessage, { kind: "event" }>): unknown {
  if (message.kind === "error") throw BridgeError.from(message.error);
  return message.result;
}

/** Maps an API refusal outside the bridge, or an unreachable server, to a bridge error. */
function bridgeErrorOf(error: unknown): BridgeError {
  if (!(error instanceof ApiError))
    return new BridgeError("canceled", "The server was not reached. Try again.");
  if (error.status === 400) return new BridgeError("invalid_arguments", error.message);
  if (error.status === 404 || error.status === 410) return new BridgeError("app_gone", error.message);
  if (error.status === 403) return new BridgeError("role_forbidden", error.message);
  if (error.status === 413) return new BridgeError("too_large", error.message);
  if (error.status === 429) return new BridgeError("rate_limited", error.message);
  return new BridgeError("internal", error.message);
}
