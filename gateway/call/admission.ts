import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { type CallPlan, callPlanKey, callPlanSchema } from "@parley/shared/contracts/call-plan.ts";
import { CLOSE } from "@parley/shared/contracts/close-codes.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { TicketVerifier } from "@parley/shared/security/tickets.ts";
import { type StartAnswer, WebCallTransport } from "../transports/web-call.ts";
import type { Admission, SocketRoute } from "../uws/socket-port.ts";
import type { Call } from "./call.ts";
import type { CallerConnection } from "./line.ts";
import type { CallRegistry } from "./registry.ts";

const RETRY_AFTER_SECS = 2;

export interface AdmissionDeps {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly tickets: TicketVerifier;
  readonly registry: CallRegistry;
  readonly maxCalls: number;
  readonly startTimeoutMs: number;
  readonly isDraining: () => boolean;
  readonly openCall: (plan: CallPlan) => Promise<Call>;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** The route of call sockets: who may connect to which call. Decided before the upgrade completes. */
export function createCallRoute(deps: AdmissionDeps): SocketRoute {
  return {
    admit: async ({ sessionId, ticket }) => {
      try {
        return await admit(sessionId, ticket, deps);
      } catch (error) {
        if (error instanceof AppError) return refuse(error);
        deps.log.error({ err: messageOf(error), sessionId }, "admission failed");
        return refuse(
          new AppError("unavailable", "The call cannot be looked up now, try again.", {
            retryAfterSecs: RETRY_AFTER_SECS,
          }),
        );
      }
    },
  };
}

async function admit(sessionId: string, ticket: string | undefined, deps: AdmissionDeps): Promise<Admission> {
  if (ticket === undefined)
    throw new AppError("ticket_invalid", "The URL has no ticket; use the websocketUrl as it was given.");
  const { claims, expired } = await deps.tickets.verify(ticket, "call");
  if (claims.sessionId !== sessionId) {
    throw new AppError("ticket_invalid", "The ticket belongs to another session.");
  }
  // A resume comes later than a ticket lives; the resume token in `start` proves it.
  if (!deps.registry.get(sessionId)) {
    if (expired) throw new AppError("ticket_expired", "The ticket is older than 60 s; create a new session.");
    if (deps.isDraining())
      throw new AppError("draining", "This node restarts; create a new session.", {
        retryAfterSecs: RETRY_AFTER_SECS,
      });
    if (deps.registry.size >= deps.maxCalls)
      throw new AppError("unavailable", "This node is full, try again.", {
        retryAfterSecs: RETRY_AFTER_SECS,
      });
    const plan = await deps.bus.keys.get(callPlanKey(sessionId));
    if (plan === undefined && !deps.registry.get(sessionId)) throw ended();
  }
  return {
    ok: true,
    open: (socket) =>
      new WebCallTransport(socket, {
        clock: deps.clock,
        startTimeoutMs: deps.startTimeoutMs,
        start: (connection, resume) => start(sessionId, { connection, resume }, deps),
        onError: (code) => deps.metrics.socketErrorsTotal.inc({ code }),
        onDropped: (reason) => deps.metrics.socketMessagesDroppedTotal.inc({ reason }),
      }),
  };
}

/** Attaches a started socket to its call: the live one, or the one its plan describes. */
async function start(
  sessionId: string,
  { connection, resume }: { connection: CallerConnection; resume: string | undefined },
  deps: AdmissionDeps,
): Promise<StartAnswer> {
  try {
    const call = deps.registry.get(sessionId) ?? (await openFromPlan(sessionId, deps));
    const attached = call.attach(connection, resume);
    if (attached.ok) return attached;
    if (attached.reason === "ended") throw ended();
    return {
      ok: false,
      code: "resume_invalid",
      message: "The call is under way already; send the resume token of its ready message.",
      close: CLOSE.malformed,
    };
  } catch (error) {
    if (error instanceof AppError) {
      return { ok: false, code: error.code, message: error.message, close: CLOSE.ended };
    }
    deps.log.error({ err: messageOf(error), sessionId }, "the call could not be opened");
    return { ok: false, code: "internal", message: "The call could not be opened.", close: CLOSE.overloaded };
  }
}

async function openFromPlan(sessionId: string, deps: AdmissionDeps): Promise<Call> {
  // Of two sockets that start the same session at once, exactly one takes the plan.
  const stored = await deps.bus.keys.take(callPlanKey(sessionId));
  if (stored !== undefined) return deps.openCall(callPlanSchema.parse(JSON.parse(stored)));
  const call = deps.registry.get(sessionId);
  if (!call) throw ended();
  return call;
}

function ended(): AppError {
  return new AppError("session_ended", "The session has ended or was never created; create a new one.");
}

function refuse(error: AppError): Admission {
  const { status, code, message, retryAfterSecs } = error;
  return { ok: false, status, code, message, ...(retryAfterSecs === undefined ? {} : { retryAfterSecs }) };
}
