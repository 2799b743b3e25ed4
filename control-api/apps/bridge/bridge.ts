import type { Method } from "@parley/platform/methods/define.ts";
import { findMethod } from "@parley/platform/methods/table.ts";
import type { BridgeErrorCode } from "@parley/platform/wire/errors.ts";
import { BridgeError, unavailable } from "@parley/platform/wire/errors.ts";
import { type BridgeRequest, requestSchema } from "@parley/platform/wire/messages.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError, type ErrorCode, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { DO_NOT_CALL } from "../../campaigns/do-not-call/hold-to-list.ts";
import type { Database } from "../../database/open.ts";
import type { MemberPrincipal } from "../../http/access/principal.ts";
import type { Client } from "../../http/plugins/client.ts";
import type { Audit, AuditEntry } from "../../identity/audit/audit.ts";
import type { FrameTokens } from "../frames/frame-token.ts";
import { argumentsOf, authorize } from "./authorize.ts";
import { type BridgeCaller, callerOf, serverMethod } from "./caller.ts";
import type { FrameBounds } from "./frame-bounds.ts";
import type { BridgeCall, Handlers, Subscriber, Subscriptions, Unsubscribe } from "./handlers.ts";

export interface BridgeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: Audit;
  readonly tokens: FrameTokens;
  readonly bounds: FrameBounds;
  readonly handlers: Handlers;
  readonly subscriptions: Subscriptions;
  /** Counts a call durably before it is carried out; one that cannot be counted is not. */
  readonly countCall: (call: { readonly orgId: string; readonly appId: string }) => Promise<void>;
}

/** A call as it arrives: none of it is trusted. */
export interface ArrivedCall {
  readonly body: unknown;
  readonly token: string | undefined;
  readonly appId: string;
  readonly member: MemberPrincipal;
  readonly client: Client;
  readonly bytes?: Buffer | undefined;
  /** Aborted when the host disconnects. */
  readonly signal: AbortSignal;
  readonly requestId: string;
}

interface OpenedCall {
  readonly method: Method;
  readonly args: Record<string, unknown>;
  readonly caller: BridgeCaller;
  readonly end: () => void;
}

/** Carries out frames' calls by the method table; checks scope, role, arguments and bounds first. */
export class Bridge {
  readonly #deps: BridgeDeps;

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
  }

  /** `event` receives the pieces of a streamed answer. Throws only `BridgeError`. */
  async call(arrived: ArrivedCall, event?: (event: unknown) => void): Promise<unknown> {
    return this.#guarded(arrived, async () => {
      const { method, args, caller, end } = await this.#open(arrived);
      try {
        if (method.streams === "subscription" || (method.streams === "answer" && !event))
          throw new BridgeError("invalid_arguments", `${method.name} streams; bring it as a stream.`);
        const handler = this.#deps.handlers[method.name as keyof Handlers] as AnyHandler | undefined;
        if (!handler) return emptyOf(method);
        const { client, bytes } = arrived;
        const result = await this.#within(method, arrived.signal, (signal) =>
          handler(args, { caller, client, signal, bytes, event: event ?? nothing }),
        );
        if (method.writes) await this.#deps.audit.write(writtenBy(method, args, { ...arrived, caller }));
        return result;
      } finally {
        end();
      }
    });
  }

  /** Resolves once the subscription is in force; `to` receives what happens after that. Throws as `call`. */
  async subscribe(arrived: ArrivedCall, to: Subscriber): Promise<Unsubscribe> {
    return this.#guarded(arrived, async () => {
      const { method, args, caller, end } = await this.#open(arrived);
      try {
        const handler = this.#deps.subscriptions[method.name as keyof Subscriptions] as
          | AnySubscription
          | undefined;
        if (method.streams !== "subscription")
          throw new BridgeError("invalid_arguments", `${method.name} is no subscription.`);
        if (!handler) throw unavailable(method.name);
        const unsubscribe = await handler(args, { ...arrived, caller, bytes: undefined, event: nothing }, to);
        return async () => {
          end();
          await unsubscribe();
        };
      } catch (error) {
        end();
        throw error;
      }
    });
  }

  /** Checks whether a subscription may go on. Throws as a new call would. */
  async recheck(arrived: ArrivedCall): Promise<void> {
    const { tokens, database } = this.#deps;
    const request = readRequest(arrived.body);
    const method = serverMethod(request.method);
    const claims = tokens.readEnded(arrived.token);
    const caller = await callerOf(claims, arrived.member, { db: database.db, appId: arrived.appId });
    authorize(method, argumentsOf(method, request.params), caller);
  }

  async #open({ body, token, member, appId, bytes }: ArrivedCall): Promise<OpenedCall> {
    const { tokens, bounds, database } = this.#deps;
    const request = readRequest(body);
    const claims = tokens.read(token);
    const method = serverMethod(request.method);
    assertBytes(method, bytes);
    // Before any database query, so that a flooding frame costs little.
    const end = bounds.begin({ orgId: member.orgId, frameId: claims.frameId }, method);
    try {
      const caller = await callerOf(claims, member, { db: database.db, appId });
      const args = argumentsOf(method, request.params);
      authorize(method, args, caller);
      await this.#deps.countCall(caller);
      return { method, args, caller, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** At the deadline, aborts the handler and rejects without waiting for it. */
  #within<T>(method: Method, hostGone: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { timeoutMs } = method.limits;
    const late = new AbortController();
    return new Promise<T>((resolve, reject) => {
      const cancel = this.#deps.clock.after(timeoutMs, () => {
        late.abort();
        reject(new BridgeError("deadline_exceeded", `${method.name} took longer than ${timeoutMs} ms.`));
      });
      work(AbortSignal.any([late.signal, hostGone]))
        .then(resolve, reject)
        .finally(cancel);
    });
  }

  async #guarded<T>(arrived: ArrivedCall, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // Errors of an aborted handler are not faults.
      if (arrived.signal.aborted && !(error instanceof BridgeError))
        throw new BridgeError("canceled", "The call was canceled.");
      throw toBridgeError(error, arrived, this.#deps.log);
    }
  }
}

/** Whether the body asks for a method that streams its answer; false for a malformed call. */
export function streamsAnswer(body: unknown): boolean {
  const { data } = requestSchema.safeParse(body);
  return data !== undefined && findMethod(data.method)?.streams === "answer";
}

function nothing(): void {
  return;
}

/** The arguments that identify what a write was about; the audit log never holds the content. */
const NAMES = [
  "type",
  "id",
  "agentId",
  "templateId",
  "teamId",
  "path",
  "campaignId",
  "channelId",
  "capability",
];

function writtenBy(
  { name }: Method,
  args: Record<string, unknown>,
  { caller, client }: Pick<BridgeCall, "caller" | "client">,
): AuditEntry {
  const { orgId, userId, appId } = caller;
  const about = Object.fromEntries(NAMES.filter((key) => key in args).map((key) => [key, args[key]]));
  const actor = { kind: "user", id: userId } as const;
  return { action: "app.wrote", orgId, actor, client, details: { ...about, appId, method: name } };
}

type AnyHandler = (args: Record<string, unknown>, call: BridgeCall) => Promise<unknown>;
type AnySubscription = (
  args: Record<string, unknown>,
  call: BridgeCall,
  to: Subscriber,
) => Promise<Unsubscribe>;

/** Throws `BridgeError` invalid_arguments. */
function readRequest(body: unknown): BridgeRequest {
  const parsed = requestSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new BridgeError("invalid_arguments", "That is no call: it needs kind, id, method and params.");
}

/** Raw bytes have their own route in both directions. Throws `BridgeError` invalid_arguments, too_large. */
function assertBytes(method: Method, bytes: Buffer | undefined): void {
  if (method.bytes && !bytes)
    throw new BridgeError("invalid_arguments", `${method.name} is brought with raw bytes.`);
  const { bodyBytes } = method.limits;
  if ((bytes?.length ?? 0) > bodyBytes)
    throw new BridgeError("too_large", `${method.name} takes at most ${bodyBytes} bytes.`);
}

function emptyOf(method: Method): unknown {
  if (method.empty === undefined) throw unavailable(method.name);
  return method.empty;
}

const CODES: Readonly<Partial<Record<ErrorCode, BridgeErrorCode>>> = {
  not_found: "not_found",
  gone: "not_found",
  validation_failed: "invalid_arguments",
  bad_request: "invalid_arguments",
  conflict: "conflict",
  not_rehearsed: "conflict",
  forbidden: "role_forbidden",
  too_many_requests: "rate_limited",
  payload_too_large: "too_large",
  response_too_large: "too_large",
  payment_required: "quota_exceeded",
  spending_limit_reached: "quota_exceeded",
  blocked_address: "address_refused",
  unavailable: "vendor_failed",
  vendor_failed: "vendor_failed",
  vendor_rejected: "vendor_failed",
  deadline_exceeded: "deadline_exceeded",
  search_too_slow: "deadline_exceeded",
};

/** A person who wants no messages and no calls has nothing to do with the user's role. */
function codeOf({ code, details }: AppError): BridgeErrorCode | undefined {
  return code === "forbidden" && details?.reason === DO_NOT_CALL ? "conflict" : CODES[code];
}

/** The error a frame may see: expected ones with their reason, all others with where to look them up. */
export function toBridgeError(
  error: unknown,
  { requestId }: Pick<ArrivedCall, "requestId">,
  log: Logger,
): BridgeError {
  if (error instanceof BridgeError) return error;
  const code = error instanceof AppError ? codeOf(error) : undefined;
  if (error instanceof AppError && code !== undefined) {
    const { message, retryable, retryAfterSecs, details } = error;
    return new BridgeError(code, message, {
      retryable,
      ...(retryAfterSecs !== undefined && { retryAfterMs: retryAfterSecs * 1_000 }),
      ...(details && { details }),
    });
  }
  log.error(
    {
      event: "bridge_call_crashed",
      requestId,
      err: messageOf(error),
      stack: error instanceof Error ? error.stack : undefined,
    },
    "a call of an app failed unexpectedly",
  );
  return new BridgeError(
    "internal",
    `Something went wrong on the server; tell its operator the request id ${requestId}.`,
    {
      requestId,
    },
  );
}
