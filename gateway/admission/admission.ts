import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { type AnyPlan, callPlanKey, muteKey, openingCallKey } from "@parley/shared/contracts/call-plan.ts";
import { CLOSE } from "@parley/shared/contracts/close-codes.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { PlanBox } from "@parley/shared/security/plan-box.ts";
import type { TicketVerifier } from "@parley/shared/security/tickets.ts";
import type { CallerConnection } from "../call/line.ts";
import type { AttachRequest, LiveCall } from "../call/live-call.ts";
import type { CallRegistry } from "../call/registry.ts";
import { CarrierSocket } from "../transports/carrier-socket.ts";
import { MEDIA_SERIALIZERS } from "../transports/serializers/by-carrier.ts";
import { type StartAnswer, WebCallTransport } from "../transports/web-call.ts";
import type { Admission, SocketAddress, SocketHandler, SocketPort, SocketRoute } from "../uws/socket-port.ts";

const RETRY_AFTER_SECS = 2;
/** Lifetime of an opening call's mark. Opening takes a fraction of a second; past this, the node counts as dead. */
const OPENS_WITHIN_MS = 30_000;

export interface AdmissionDeps {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly tickets: TicketVerifier;
  readonly plans: PlanBox;
  readonly registry: CallRegistry;
  readonly startTimeoutMs: number;
  readonly isDraining: () => boolean;
  readonly openCall: (plan: AnyPlan) => Promise<LiveCall>;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Opens an admitted socket. */
type Open = (socket: SocketPort, right: Right) => SocketHandler;
/** The rights that a socket's ticket grants it. */
type Right = Omit<AttachRequest, "resume">;

/** Routes call sockets. Decides who may connect to which call before the upgrade completes. */
export function createCallRoute(deps: AdmissionDeps): SocketRoute {
  return {
    admit: (address) =>
      admitOrRefuse(
        address,
        (socket, right) =>
          new WebCallTransport(socket, {
            ...transportDeps(deps),
            log: deps.log.child({ sessionId: address.sessionId }),
            start: (connection, resume) => start(address.sessionId, { connection, resume, ...right }, deps),
          }),
        deps,
      ),
  };
}

/** Routes carriers' media sockets. A phone is the caller of its call and presents the same kind of ticket. */
export function createMediaRoute(deps: AdmissionDeps): SocketRoute {
  return {
    admit: async (address) => {
      const { sessionId, carrier = "" } = address;
      const wire = MEDIA_SERIALIZERS.get(carrier);
      if (!wire) {
        const known = [...MEDIA_SERIALIZERS.keys()].join(", ");
        return refuse(
          new AppError("not_found", `There is no media of such a carrier here; known: ${known}.`),
        );
      }
      const open: Open = (socket, right) =>
        new CarrierSocket(socket, {
          ...transportDeps(deps),
          wire,
          log: deps.log.child({ sessionId, carrier }),
          start: (connection) => start(sessionId, { connection, resume: undefined, ...right }, deps),
        });
      return admitOrRefuse(address, open, deps);
    },
  };
}

function transportDeps({ clock, startTimeoutMs, metrics }: AdmissionDeps) {
  return {
    clock,
    startTimeoutMs,
    onError: (code: string) => metrics.socketErrorsTotal.inc({ code }),
    onDropped: (reason: string) => metrics.socketMessagesDroppedTotal.inc({ reason }),
  };
}

async function admitOrRefuse(address: SocketAddress, open: Open, deps: AdmissionDeps): Promise<Admission> {
  const { sessionId } = address;
  try {
    const right = await admit(address, deps);
    return { ok: true, open: (socket) => open(socket, right) };
  } catch (error) {
    if (error instanceof AppError) return refuse(error);
    deps.log.error(
      { event: "call_admission_failed", err: messageOf(error), sessionId },
      "failed to admit a call",
    );
    return refuse(
      new AppError("unavailable", "The call cannot be looked up right now. Try again.", {
        retryAfterSecs: RETRY_AFTER_SECS,
      }),
    );
  }
}

/** Throws `AppError` if the socket may not connect. */
async function admit({ sessionId, ticket }: SocketAddress, deps: AdmissionDeps): Promise<Right> {
  if (ticket === undefined)
    throw new AppError("ticket_invalid", "The URL has no ticket. Use the websocketUrl exactly as given.");
  const { claims, expired } = await deps.tickets.verify(ticket, "call", "leg");
  if (claims.sessionId !== sessionId) {
    throw new AppError("ticket_invalid", "The ticket belongs to another session.");
  }
  // A resume may arrive after the ticket has expired; the resume token in `start` proves the right to it.
  const right: Right = { end: claims.kind === "leg" ? "leg" : "client", hasFreshTicket: !expired };
  const live = deps.registry.get(sessionId);
  // The registry holds an ending call until its record is complete, but no socket may join it any more.
  if (live?.isOver) throw ended();
  if (live) return right;
  if (expired) throw new AppError("ticket_expired", "The ticket is older than 60 s; create a new session.");
  if (deps.isDraining())
    throw new AppError("draining", "This node is restarting. Create a new session.", {
      retryAfterSecs: RETRY_AFTER_SECS,
    });
  if (!deps.registry.hasRoom(claims.orgId))
    throw new AppError("unavailable", "This node is full, try again.", {
      retryAfterSecs: RETRY_AFTER_SECS,
    });
  const plan = await deps.bus.keys.get(callPlanKey(sessionId));
  if (plan === undefined && !deps.registry.get(sessionId)) throw ended();
  return right;
}

/** Attaches a started socket to its live call, or opens the call from its plan. */
async function start(
  sessionId: string,
  { connection, ...arrival }: AttachRequest & { connection: CallerConnection },
  deps: AdmissionDeps,
): Promise<StartAnswer> {
  try {
    const call = deps.registry.get(sessionId) ?? (await openFromPlan(sessionId, arrival.end, deps));
    const attached = call.attach(connection, arrival);
    if (attached.ok) return attached;
    if (attached.reason === "ended") throw ended();
    return {
      ok: false,
      code: "resume_invalid",
      message: "The call is already in progress. Send the resume token of its ready message.",
      close: CLOSE.malformed,
    };
  } catch (error) {
    if (error instanceof AppError && error.code !== "internal") {
      return {
        ok: false,
        code: error.code,
        message: error.message,
        close: error.retryable ? CLOSE.overloaded : CLOSE.ended,
      };
    }
    deps.log.error({ event: "call_open_failed", err: messageOf(error), sessionId }, "failed to open a call");
    return { ok: false, code: "internal", message: "The call could not be opened.", close: CLOSE.overloaded };
  }
}

async function openFromPlan(sessionId: string, end: Right["end"], deps: AdmissionDeps): Promise<LiveCall> {
  const [muteMs] = await Promise.all([
    end === "leg" ? muteMsOf(sessionId, deps) : undefined,
    markOpening(sessionId, deps),
  ]);
  // If two sockets start the same session at once, exactly one takes the plan.
  const stored = await deps.bus.keys.take(callPlanKey(sessionId));
  if (stored !== undefined) {
    const opened = await openCall(sessionId, stored, deps);
    if (muteMs !== undefined) await opened.execute({ command: "mute", ms: muteMs });
    return opened;
  }
  const call = deps.registry.get(sessionId);
  if (!call) throw ended();
  return call;
}

async function openCall(sessionId: string, stored: string, deps: AdmissionDeps): Promise<LiveCall> {
  try {
    return await deps.openCall(deps.plans.open(stored, sessionId));
  } finally {
    deps.bus.keys.delete(openingCallKey(sessionId)).catch((error: unknown) => {
      deps.log.debug(
        { event: "opening_mark_not_deleted", err: messageOf(error), sessionId },
        "failed to delete the mark of an opening call",
      );
    });
  }
}

/** Marks the call as existing for its watchers between the moment its plan is taken and its registration as live. */
async function markOpening(sessionId: string, { bus, log }: AdmissionDeps): Promise<void> {
  try {
    await bus.keys.set(openingCallKey(sessionId), "1", OPENS_WITHIN_MS);
  } catch (error) {
    // A full Redis rejects the mark but still gives plans away.
    log.debug(
      { event: "opening_mark_not_set", err: messageOf(error), sessionId },
      "failed to mark an opening call",
    );
  }
}

/** How long the agent keeps quiet from the start because the carrier reports that a machine has answered. */
async function muteMsOf(sessionId: string, { bus, log }: AdmissionDeps): Promise<number | undefined> {
  const text = await bus.keys.get(muteKey(sessionId)).catch((error: unknown) => {
    // The verdict also arrives over the bus; the call matters more than half a second of quiet.
    log.warn(
      { event: "machine_verdict_lookup_failed", err: messageOf(error), sessionId },
      "failed to look up whether a machine answered",
    );
    return undefined;
  });
  return text === undefined ? undefined : Number(text);
}

function ended(): AppError {
  return new AppError("session_ended", "The session has ended or was never created; create a new one.");
}

function refuse(error: AppError): Admission {
  const { status, code, message, retryAfterSecs } = error;
  return { ok: false, status, code, message, ...(retryAfterSecs === undefined ? {} : { retryAfterSecs }) };
}
