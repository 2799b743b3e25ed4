import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { CarrierName } from "@parley/shared/contracts/telephony.ts";
import type { TransferFailure, TransferOrder } from "@parley/shared/contracts/transfers.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../../../database/open.ts";
import { commandCall } from "../../gateways/command-call.ts";
import type { Carrier, CarrierAnswer, CarrierEvent, EndStatus } from "../carrier.ts";
import type { PhoneLeg } from "../leg-store.ts";
import { answeredInTime, GIVEN_UP_AFTER_MS, JOIN_MS, mayHaveJoined, UNTOLD_MS } from "./joining.ts";
import {
  beginTransfer,
  moveTransfer,
  type PendingTransfer,
  readTransfer,
  type StoredTransfer,
  setTarget,
} from "./transfer-store.ts";

/** How long the target may ring. */
const RING_SECS = 30;
/** Slack for the carrier's own delays; a transfer whose end nobody reports is over by then. */
const SLACK_MS = 30_000;
/** Upper bound on the length of a whisper. */
const WHISPER_MS = 60_000;

const DECLINED: Readonly<Record<EndStatus, TransferFailure>> = {
  completed: "declined",
  busy: "busy",
  "no-answer": "no-answer",
  failed: "failed",
  canceled: "failed",
};

export interface TransfersDeps {
  readonly bus: Bus;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly carrierOf: (
    orgId: string,
    name: CarrierName,
  ) => Promise<{ carrier: Carrier; connectionId: string }>;
  readonly callbackUrl: (connectionId: string, sessionId: string) => string;
}

/** A leg with a known carrier id. */
export type LiveLeg = PhoneLeg & { readonly callSid: string };

/** Transfers the far ends of calls: asks the carrier, follows its events, and brings the caller back on failure. */
export class Transfers {
  readonly #deps: TransfersDeps;

  constructor(deps: TransfersDeps) {
    this.#deps = deps;
  }

  /** Throws `AppError` conflict while another transfer is under way, session_ended, and what the carrier throws. */
  async begin(leg: LiveLeg, order: TransferOrder, id: string): Promise<void> {
    const { database, clock } = this.#deps;
    const { sessionId, orgId } = leg;
    const { carrier, connectionId } = await this.#deps.carrierOf(orgId, leg.carrier);
    const isWarm = order.mode === "warm";
    const ms = RING_SECS * 1_000 + SLACK_MS + (isWarm ? WHISPER_MS : 0);
    const nowMs = clock.wallMs();
    const pending: PendingTransfer = { ...order, untilMs: nowMs + ms };
    if (!(await beginTransfer(database, sessionId, { id, pending, nowMs })))
      throw new AppError("conflict", "The call is already being transferred. Wait for the result.");
    // Until the two are joined, a second leg leaves the caller's media in place.
    const meanwhile = isWarm ? { mediaStops: false, rings: true } : carrier.transferring;
    if (!(await this.#order(sessionId, { command: "transferring", ms, ...meanwhile }))) {
      await moveTransfer(database, sessionId, { id, event: "comes to nothing", isOver: true });
      throw new AppError("session_ended", "The call is no longer on any gateway.");
    }
    try {
      await this.#ring(leg, { id, pending }, { carrier, connectionId });
    } catch (error) {
      // A command that may have taken effect is not undone: the carrier or the time-out reports its end.
      if (!isUncertain(error)) await this.#failed(sessionId, { id, why: "refused", tell: false });
      throw error;
    }
  }

  /** Handles a transfer that the carrier completed. */
  async succeeded(leg: PhoneLeg): Promise<void> {
    const { database, log } = this.#deps;
    const { sessionId, orgId, callSid } = leg;
    const stored = await readTransfer(database, sessionId);
    if (stored) await moveTransfer(database, sessionId, { id: stored.id, event: "is joined", isOver: true });
    await this.#order(sessionId, { command: "end", reason: "transferred" });
    try {
      const { carrier } = await this.#deps.carrierOf(orgId, leg.carrier);
      if (callSid !== null) await carrier.stopMedia?.(callSid);
    } catch (error) {
      log.warn(
        { event: "transfer_media_stop_failed", sessionId, err: messageOf(error) },
        "failed to stop the media of a transferred call",
      );
    }
  }

  /** Handles the far end's return, idempotently. */
  async cameBack(sessionId: string, why: TransferFailure): Promise<void> {
    const stored = await readTransfer(this.#deps.database, sessionId);
    if (stored) await this.#failed(sessionId, { id: stored.id, why, tell: true });
  }

  /** Handles an event of a warm transfer's second leg. Returns the reply to its carrier. */
  async targetHappened(leg: LiveLeg, transferId: string, event: CarrierEvent): Promise<CarrierAnswer> {
    const { carrier, connectionId } = await this.#deps.carrierOf(leg.orgId, leg.carrier);
    const stored = await readTransfer(this.#deps.database, leg.sessionId);
    const about = { carrier, connectionId, event };
    if (event.type === "ended") return this.#targetEnded(leg, transferId, { ...about, status: event.status });
    if (event.type !== "answered" && event.type !== "whispered") return carrier.acknowledge();
    // Late or repeated event: a target that already talks to the caller neither hears the whisper again nor is hung up.
    // One that asks again what to do has not heard the reply: an empty one would hang up.
    if (stored?.id === transferId && (stored.state === "joining" || stored.state === "joined"))
      return event.type === "whispered" ? carrier.joinAnswer(transferId) : carrier.acknowledge();
    // A target that answers after the transfer or the call is over must not be left in silence.
    if (stored?.id !== transferId || !stored.pending)
      return this.#hangUpTarget(leg.sessionId, carrier, event.callSid);
    return event.type === "answered"
      ? this.#answered(leg, stored, about)
      : this.#whispered(leg, stored, about);
  }

  /**
   * Stops ringing the target of a call that ended. Returns true if the far end was handed over and talks on without us.
   * Never throws.
   */
  async over(leg: PhoneLeg, reason: string): Promise<boolean> {
    const { database, log } = this.#deps;
    const { sessionId } = leg;
    const isTransferred = reason === "transferred";
    try {
      const stored = await readTransfer(database, sessionId);
      if (!stored?.pending) return isTransferred || stored?.state === "joined";
      const { id, pending } = stored;
      // The gateway may know of the join before it is stored: then nobody is hung up.
      const event = isTransferred ? "is joined" : "comes to nothing";
      const moved = await moveTransfer(database, sessionId, { id, event, isOver: true });
      if (!isTransferred && moved && pending.targetSid !== undefined)
        await this.#hangUp(leg, pending.targetSid);
    } catch (error) {
      log.warn(
        { event: "transfer_target_hangup_failed", sessionId, err: messageOf(error) },
        "failed to hang up the transfer target of an ended call",
      );
    }
    return isTransferred;
  }

  async #hangUp(leg: PhoneLeg, targetSid: string): Promise<void> {
    const { carrier } = await this.#deps.carrierOf(leg.orgId, leg.carrier);
    await carrier.hangUp(targetSid).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    });
  }

  async #ring(
    leg: LiveLeg,
    { id, pending }: { id: string; pending: PendingTransfer },
    { carrier, connectionId }: { carrier: Carrier; connectionId: string },
  ): Promise<void> {
    const { sessionId, callSid, ourNumber } = leg;
    if (pending.mode === "blind") {
      const callbackUrl = this.#deps.callbackUrl(connectionId, sessionId);
      const to = { to: pending.to, from: ourNumber, callbackUrl, ringTimeoutSecs: RING_SECS };
      return carrier.transfer(callSid, to);
    }
    const placed = await carrier.consult(this.#consultCall(leg, { id, pending }, connectionId));
    const target = { ...pending, targetSid: placed.callSid };
    const current = await readTransfer(this.#deps.database, sessionId);
    // The leg may already have been answered and renamed.
    if (current?.id === id && current.pending?.targetSid !== undefined) return;
    if (await setTarget(this.#deps.database, sessionId, { id, pending: target })) return;
    await this.#hangUpTarget(sessionId, carrier, placed.callSid);
  }

  #consultCall(
    { sessionId, ourNumber }: LiveLeg,
    { id, pending }: { id: string; pending: PendingTransfer },
    connectionId: string,
  ) {
    return {
      sessionId,
      transferId: id,
      to: pending.to,
      from: ourNumber,
      whisper: pending.whisper ?? "",
      ringTimeoutSecs: RING_SECS,
      callbackUrl: `${this.#deps.callbackUrl(connectionId, sessionId)}/transfers/${id}`,
    };
  }

  async #answered(leg: LiveLeg, stored: StoredTransfer, about: OfTarget): Promise<CarrierAnswer> {
    const { database } = this.#deps;
    const { carrier, connectionId, event } = about;
    const { id, pending } = stored;
    if (!pending) return carrier.acknowledge();
    await moveTransfer(database, leg.sessionId, { id, event: "is answered", isOver: false });
    await setTarget(database, leg.sessionId, { id, pending: { ...pending, targetSid: event.callSid } });
    return carrier.whisper(event.callSid, this.#consultCall(leg, { id, pending }, connectionId));
  }

  async #whispered(leg: LiveLeg, stored: StoredTransfer, about: OfTarget): Promise<CarrierAnswer> {
    const { database, log, clock } = this.#deps;
    const { sessionId, callSid } = leg;
    const { carrier, connectionId, event } = about;
    const { id, pending } = stored;
    const targetSid = event.callSid === "" ? (pending?.targetSid ?? "") : event.callSid;
    // Another process got the same request, or the transfer is already over.
    if (!(await moveTransfer(database, sessionId, { id, event: "has heard the whisper", isOver: false })))
      return this.targetHappened(leg, id, event);
    const giveUp = async (why: unknown): Promise<CarrierAnswer> => {
      log.warn(
        { event: "transfer_join_failed", sessionId, err: messageOf(why) },
        "failed to join a caller with the transfer target",
      );
      await this.#failed(sessionId, { id, why: "failed", tell: true });
      return this.#hangUpTarget(sessionId, carrier, targetSid);
    };
    const ready = { command: "transferring", ms: JOIN_MS, mediaStops: true, rings: true } as const;
    if (!(await this.#order(sessionId, ready).catch(() => false))) return giveUp("The caller is gone.");
    const callbackUrl = this.#deps.callbackUrl(connectionId, sessionId);
    const joined = carrier.join(callSid, { targetSid, transferId: id, callbackUrl });
    try {
      await answeredInTime(joined, clock);
      await this.#joined(leg);
    } catch (error) {
      if (!mayHaveJoined(error)) return giveUp(error);
      log.warn(
        { event: "transfer_join_unconfirmed", sessionId, err: messageOf(error) },
        "a carrier did not say whether it joined a caller with the transfer target",
      );
      this.#unconfirmed(leg, { id, joined, carrier, targetSid });
    }
    return carrier.joinAnswer(id);
  }

  /** The two already talk: no later failure hangs anyone up. */
  async #joined(leg: PhoneLeg): Promise<void> {
    await this.succeeded(leg).catch((error: unknown) =>
      this.#deps.log.warn(
        { event: "transfer_end_not_reported", sessionId: leg.sessionId, err: messageOf(error) },
        "failed to report the end of a transferred call",
      ),
    );
  }

  /**
   * The two may already be talking. If so, the carrier says so late (Telnyx by a callback, too), or the gateway sees
   * the caller's media go and ends the call as transferred. The target is hung up only once the caller has stayed.
   */
  #unconfirmed(leg: PhoneLeg, { id, joined, carrier, targetSid }: UnconfirmedJoin): void {
    const { clock, database, log } = this.#deps;
    const { sessionId } = leg;
    const sinceMs = clock.monotonicMs();
    const giveUp = async (): Promise<void> => {
      const stored = await readTransfer(database, sessionId);
      if (stored?.id !== id || stored.state !== "joining") return;
      // After that long, the gateway's own time-out has told the agent.
      const tell = clock.monotonicMs() - sinceMs < UNTOLD_MS;
      if (!(await this.#order(sessionId, { command: "transfer_failed", why: "failed", tell }))) return;
      if (await moveTransfer(database, sessionId, { id, event: "comes to nothing", isOver: true }))
        await this.#hangUpTarget(sessionId, carrier, targetSid);
    };
    const giveUpNow = (): void => {
      giveUp().catch((error: unknown) =>
        log.warn(
          { event: "transfer_target_release_failed", sessionId, err: messageOf(error) },
          "failed to hang up the target of a failed transfer",
        ),
      );
    };
    const cancel = clock.after(GIVEN_UP_AFTER_MS, giveUpNow);
    joined.then(
      () => this.#joined(leg),
      (error: unknown) => {
        // A late refusal still counts, so stop waiting.
        if (mayHaveJoined(error)) return;
        cancel();
        giveUpNow();
      },
    );
  }

  async #targetEnded(
    { sessionId }: LiveLeg,
    id: string,
    { carrier, status }: OfTarget & { status: EndStatus },
  ): Promise<CarrierAnswer> {
    await this.#failed(sessionId, { id, why: DECLINED[status], tell: true });
    return carrier.acknowledge();
  }

  async #failed(
    sessionId: string,
    { id, why, tell }: { id: string; why: TransferFailure; tell: boolean },
  ): Promise<void> {
    const event = "comes to nothing";
    if (await moveTransfer(this.#deps.database, sessionId, { id, event, isOver: true }))
      await this.#order(sessionId, { command: "transfer_failed", why, tell });
  }

  async #hangUpTarget(sessionId: string, carrier: Carrier, targetSid: string): Promise<CarrierAnswer> {
    try {
      if (targetSid !== "") await carrier.hangUp(targetSid);
    } catch (error) {
      const isOver = error instanceof AppError && error.code === "not_found";
      if (!isOver)
        this.#deps.log.warn(
          { event: "second_leg_hangup_failed", sessionId, err: messageOf(error) },
          "failed to hang up the second leg of a call",
        );
    }
    return carrier.acknowledge();
  }

  #order(sessionId: string, command: Parameters<typeof commandCall>[1]): Promise<boolean> {
    return commandCall(sessionId, command, this.#deps);
  }
}

interface OfTarget {
  readonly carrier: Carrier;
  readonly connectionId: string;
  readonly event: CarrierEvent;
}

interface UnconfirmedJoin {
  readonly id: string;
  readonly joined: Promise<void>;
  readonly carrier: Carrier;
  readonly targetSid: string;
}

/** Whether the carrier may have executed the command. */
function isUncertain(error: unknown): boolean {
  return !(error instanceof AppError) || error.code === "unavailable";
}
