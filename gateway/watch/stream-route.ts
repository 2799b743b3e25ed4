import type { Channels } from "@parley/shared/bus/bus.ts";
import type { FrameSources } from "@parley/shared/bus/frame-sources.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { CLOSE } from "@parley/shared/contracts/close-codes.ts";
import type { StreamFrame } from "@parley/shared/contracts/stream-frames.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { TicketClaims, TicketVerifier } from "@parley/shared/security/tickets.ts";
import type { Admission, SocketHandler, SocketPort, SocketRoute } from "../uws/socket-port.ts";
import type { RecentChanges } from "./recent-changes.ts";
import { untilRightEnds } from "./until-right-ends.ts";
import { Watcher } from "./watcher.ts";

export interface StreamRouteDeps {
  readonly tickets: TicketVerifier;
  readonly sources: FrameSources;
  readonly channels: Pick<Channels, "subscribe">;
  readonly changes: Pick<RecentChanges, "hasChanged">;
  /** True while the session is live, is being opened or waits for its caller, on any node. */
  readonly isLive: (sessionId: string) => Promise<boolean>;
  readonly watcherBufferBytes: number;
  readonly onFramesDropped: (frames: number) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How often a watched call is looked up, because the frame that reports its end can be missed (the bus was away). */
const LOOK_UP_EVERY_MS = 15_000;

/** Routes stream sockets, which watch a live call from any node. */
export function createStreamRoute(deps: StreamRouteDeps): SocketRoute {
  return {
    admit: async ({ sessionId, ticket }) => {
      try {
        return await admit(sessionId, ticket, deps);
      } catch (error) {
        if (error instanceof AppError) {
          const { status, code, message, retryAfterSecs } = error;
          const retry = retryAfterSecs === undefined ? {} : { retryAfterSecs };
          return { ok: false, status, code, message, ...retry };
        }
        deps.log.error(
          { event: "watcher_admission_failed", err: messageOf(error), sessionId },
          "failed to admit a watcher",
        );
        return {
          ok: false,
          status: 503,
          code: "unavailable",
          message: "The bus is not available. Try again.",
          retryAfterSecs: 2,
        };
      }
    },
  };
}

async function admit(
  sessionId: string,
  ticket: string | undefined,
  deps: StreamRouteDeps,
): Promise<Admission> {
  if (ticket === undefined)
    throw new AppError("ticket_invalid", "The URL has no ticket. Use the streamUrl exactly as given.");
  const { claims, expired, givenMs } = await deps.tickets.verify(ticket, "stream");
  if (claims.sessionId !== sessionId)
    throw new AppError("ticket_invalid", "The ticket belongs to another session.");
  if (expired)
    throw new AppError("ticket_expired", "The ticket is older than 60 s; ask for a new streamUrl.");
  if (claims.by && deps.changes.hasChanged(claims.by, givenMs))
    throw new AppError(
      "ticket_invalid",
      "Access has changed since the ticket was given; ask for a new streamUrl.",
    );
  const isLive = await deps.isLive(sessionId);
  return { ok: true, open: (socket) => (isLive ? watch : tellOfEnd)(claims, socket, deps) };
}

/** Accepts a late watcher: its ticket shows a recent call, and browsers hide why an upgrade was refused. */
function tellOfEnd({ sessionId }: TicketClaims, socket: SocketPort): SocketHandler {
  socket.sendText(endedFrame(sessionId));
  socket.close(CLOSE.ended);
  return { onText: () => undefined, onBinary: () => undefined, onClose: () => undefined };
}

function watch({ sessionId, by }: TicketClaims, socket: SocketPort, deps: StreamRouteDeps): SocketHandler {
  const watcher = new Watcher({
    sessionId,
    socket,
    bufferBytes: deps.watcherBufferBytes,
    onDropped: deps.onFramesDropped,
  });
  const onFrame = (frame: string): void => {
    if (isLastFrame(frame)) watcher.finish(frame);
    else watcher.send(frame);
  };
  const listening = deps.sources.listen(sessionId, onFrame);
  const heeding = untilRightEnds(by, deps.channels, () => socket.close(CLOSE.rightEnded));
  const finishWhenOver = async (): Promise<void> => {
    if (socket.isOpen && !(await deps.isLive(sessionId)) && socket.isOpen)
      watcher.finish(endedFrame(sessionId));
  };
  const stopLooking = deps.clock.every(LOOK_UP_EVERY_MS, () => {
    // The state is unknown while the bus is away; the next check will tell.
    finishWhenOver().catch(() => undefined);
  });
  // The call may have ended between the admission and the subscription.
  Promise.all([listening, heeding])
    .then(finishWhenOver)
    .catch((error: unknown) => {
      // This watcher would not learn of the call's end: let it connect again.
      deps.log.warn(
        { event: "watcher_subscribe_failed", err: messageOf(error), sessionId },
        "failed to subscribe a watcher",
      );
      socket.close(CLOSE.overloaded);
    });
  return {
    onText: () => undefined,
    onBinary: () => undefined,
    onDrain: () => watcher.catchUp(),
    onClose: () => {
      stopLooking();
      for (const begun of [listening, heeding]) begun.then((stop) => stop()).catch(() => undefined);
    },
  };
}

/** Checks the text cheaply first: most frames need no parsing here. */
function isLastFrame(frame: string): boolean {
  return frame.startsWith('{"topic":"call.ended"');
}

function endedFrame(sessionId: string): string {
  const frame: StreamFrame = { topic: "call.ended", sessionId, data: { reason: "ended", durationSecs: 0 } };
  return JSON.stringify(frame);
}
