import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ErrorBody } from "@parley/shared/contracts/envelope.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { isOpenedByPerson, sendNothingHere } from "../pages/nothing-here.ts";

/** Fastify's own refusals in our words. */
const FASTIFY_ERRORS: Readonly<Record<string, { status: number; code: string; message: string }>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    status: 400,
    code: "bad_request",
    message: "The body is empty. Send JSON.",
  },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, code: "bad_request", message: "The body is not JSON." },
};

const SERVER_ERROR = 500;
const RETRY_AFTER_SECS = 2;
/** SQLSTATE foreign_key_violation. */
const FOREIGN_KEY_VIOLATION = "23503";
const NOT_THERE = /is not present in table/;
const AWAY_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE", "57P01", "57P02", "57P03"]);
/** Errors without a code: first ioredis, then node-postgres. */
const AWAY_MESSAGES = [
  /^(Connection is closed|Stream isn't writeable|Command timed out|Reached the max retries)/,
  /^(Connection terminated|Client .* is not queryable|timeout exceeded when trying to connect)/,
];

/**
 * Expected errors reach the client with a code and what to do; others as an opaque 500 with full logging. Every status
 * from 500 on logs one line with the request id, which the client gets as `requestId`; every answer carries it as
 * `x-request-id`.
 */
export const errorsPlugin = fp<{ log: Logger }>(async (app, { log }) => {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // Nobody reads this answer; only metrics count it, and not as a failure of the server.
    if (error.code === "ERR_STREAM_PREMATURE_CLOSE" && reply.raw.destroyed) return send(reply, CLIENT_LEFT);
    const answer = toAnswer(error, request);
    if (isOrphan(error))
      log.warn(
        { event: "belongs_to_deleted", requestId: request.id, err: messageOf(error) },
        "refused a request that came too late",
      );
    if (answer.status < SERVER_ERROR) return send(reply, answer);
    logFailure(log, { error, request, answer });
    return send(reply, { ...answer, body: { ...answer.body, requestId: request.id } });
  });
  app.setNotFoundHandler((request, reply) => {
    if (isOpenedByPerson(request)) return sendNothingHere(reply);
    const error = `There is no ${request.method} ${request.url.split("?")[0]?.slice(0, 200)}; see /docs.`;
    return send(reply, { status: 404, body: { success: false, error, code: "not_found" } });
  });
});

/** Formats refusals that precede routing like other errors. */
export function refuseUnreadable(
  { code }: { readonly code: string },
  _request: unknown,
  reply: FastifyReply,
): void {
  const error =
    code === "FST_ERR_MAX_PARAM_LENGTH"
      ? "A part of the address is longer than any id or name here."
      : "The address cannot be read; percent-encode it as UTF-8.";
  void send(reply, { status: 400, body: { success: false, error, code: "bad_request" } });
}

/** Formats the refusal of an unparsable request like other errors; its route is unknown. */
export function refuseBroken(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const [status, said] = BROKEN[error.code ?? ""] ?? [
    400,
    "This is not a request of HTTP 1.1 that can be read.",
  ];
  const body = JSON.stringify({ success: false, error: said, code: "bad_request" });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  if (socket.writable) socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  socket.destroy();
}

const BROKEN: Readonly<Record<string, readonly [status: number, said: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time; send it again."],
  HPE_HEADER_OVERFLOW: [431, "The address and the headers are too large; 16 KiB are accepted."],
};

/** As nginx counts requests whose client left before the answer. */
const CLIENT_LEFT: Answer = {
  status: 499,
  body: { success: false, error: "The client left before the answer.", code: "client_left" },
};

interface Answer {
  readonly status: number;
  readonly body: ErrorBody;
  readonly retryAfterSecs?: number | undefined;
}

function send(reply: FastifyReply, { status, body, retryAfterSecs }: Answer): FastifyReply {
  if (retryAfterSecs !== undefined) reply.header("retry-after", String(retryAfterSecs));
  return reply.status(status).type("application/json").send(JSON.stringify(body));
}

/** Logs one line; the cause is what an expected error hides from its client. */
function logFailure(
  log: Logger,
  { error, request, answer }: { error: FastifyError; request: FastifyRequest; answer: Answer },
): void {
  const { status, body } = answer;
  const { principal } = request;
  const facts = {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url,
    status,
    code: body.code,
    orgId: principal && "orgId" in principal ? principal.orgId : undefined,
    err: messageOf(error),
    cause: error.cause === undefined ? undefined : messageOf(error.cause),
  };
  if (error instanceof AppError && status !== SERVER_ERROR)
    log.warn({ event: "request_failed", ...facts }, "a request failed");
  else if (status !== SERVER_ERROR)
    log.warn({ event: "store_unavailable", ...facts }, "a store is unavailable");
  else log.error({ event: "request_crashed", ...facts, stack: error.stack }, "a request failed unexpectedly");
}

/** A route that takes files says of which type. */
function wrongType({ routeOptions: { schema } }: FastifyRequest): Answer {
  const types = [schema?.consumes ?? "application/json"].flat();
  const message = `Send the body as ${types.join(" or ")}, with that Content-Type.`;
  return { status: 415, body: { success: false, error: message, code: "unsupported_media_type" } };
}

function toAnswer(error: FastifyError, request: FastifyRequest): Answer {
  if (error instanceof AppError) {
    const { status, message, code, details, retryAfterSecs } = error;
    const body: ErrorBody = {
      success: false,
      error: message,
      code,
      ...(details ? { details: { ...details } } : {}),
    };
    return { status, body, retryAfterSecs };
  }
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") return tooLarge(request);
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return wrongType(request);
  const known = FASTIFY_ERRORS[error.code];
  if (known)
    return { status: known.status, body: { success: false, error: known.message, code: known.code } };
  if (error.statusCode !== undefined && error.statusCode < SERVER_ERROR) {
    return { status: error.statusCode, body: { success: false, error: error.message, code: "bad_request" } };
  }
  if (isOrphan(error)) {
    const message = "What this belongs to was deleted at the same moment. Reload it, then try again.";
    return { status: 409, body: { success: false, error: message, code: "conflict" } };
  }
  if (isAway(error)) {
    const message = "A service behind this API is not available right now. Try again shortly.";
    const body: ErrorBody = { success: false, error: message, code: "unavailable" };
    return { status: 503, body, retryAfterSecs: RETRY_AFTER_SECS };
  }
  const message = `Something went wrong on our side. Contact us with the request ID ${request.id}.`;
  return { status: 500, body: { success: false, error: message, code: "internal" } };
}

/** Whether Postgres or Redis is unreachable or shutting down. */
function isAway(error: FastifyError): boolean {
  return AWAY_CODES.has(error.code) || AWAY_MESSAGES.some((message) => message.test(error.message));
}

/** Whether a row was to be written for one that was found, and deleted before the write. */
function isOrphan(error: FastifyError): boolean {
  return error.code === FOREIGN_KEY_VIOLATION && NOT_THERE.test(String(Reflect.get(error, "detail")));
}

function tooLarge({ routeOptions: { bodyLimit } }: FastifyRequest): Answer {
  const error = `The body is too large; at most ${inBinaryUnits(bodyLimit)} are accepted here.`;
  const details = { maxBytes: bodyLimit };
  return { status: 413, body: { success: false, error, code: "payload_too_large", details } };
}

function inBinaryUnits(bytes: number): string {
  const kib = Math.floor(bytes / 1024);
  return kib % 1024 === 0 ? `${kib / 1024} MiB` : `${kib} KiB`;
}
