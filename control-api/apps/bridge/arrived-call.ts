import type { BridgeError } from "@parley/platform/wire/errors.ts";
import {
  type BridgeStreamMessage,
  FRAME_TOKEN_HEADER,
  requestSchema,
} from "@parley/platform/wire/messages.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { goneSignal } from "../../http/gone-signal.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import type { ArrivedCall } from "./bridge.ts";

/** Builds the arrived call; aborts it if the host disconnects first. */
export function arrived(request: FastifyRequest, reply: FastifyReply, body: unknown): ArrivedCall {
  return {
    body,
    token: frameTokenOf(request),
    appId: (request.params as { appId: string }).appId,
    member: memberOf(request),
    client: clientOf(request),
    signal: goneSignal(reply),
    requestId: request.id,
  };
}

/** The frame's token, which the host keeps. */
export function frameTokenOf(request: FastifyRequest): string | undefined {
  const token = request.headers[FRAME_TOKEN_HEADER];
  return typeof token === "string" ? token : undefined;
}

/** The answer to a call: its result, or why it was refused. */
export async function answered(id: number, work: () => Promise<unknown>): Promise<BridgeStreamMessage> {
  try {
    return { kind: "result", id, result: (await work()) ?? null };
  } catch (error) {
    return { kind: "error", id, error: (error as BridgeError).toBody() };
  }
}

/** The id by which the host matches the answer. Throws `AppError` bad_request for a malformed call. */
export function idIn(body: unknown): number {
  const id = requestSchema.shape.id.safeParse((body as { id?: unknown } | null)?.id);
  if (id.success) return id.data;
  throw new AppError("bad_request", 'Send a call of the bridge: { kind: "request", id, method, params }.');
}
