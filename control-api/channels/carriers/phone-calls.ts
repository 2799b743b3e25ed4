import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { type CallEvent, LATE_SEQ } from "@parley/shared/contracts/call-events.ts";
import { callPlanKey, liveCallKey } from "@parley/shared/contracts/call-plan.ts";
import {
  type CallEnd,
  type Ending,
  type EndReason,
  endBy,
  endFor,
  isOver,
} from "@parley/shared/contracts/call-status.ts";
import type { CarrierName } from "@parley/shared/contracts/telephony.ts";
import type { TransferOrder } from "@parley/shared/contracts/transfers.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { TicketSigner } from "@parley/shared/security/tickets.ts";
import type { Database } from "../../database/open.ts";
import { adoptCallSid, setCallSid } from "../../records/call-rows/leg.ts";
import { moveCall } from "../../records/call-rows/move-call.ts";
import { tellEnd } from "../../records/projector/tell-end.ts";
import { commandCall } from "../gateways/command-call.ts";
import type { Carrier, CarrierAnswer, CarrierEvent, Dial } from "./carrier.ts";
import { CarrierRefusals } from "./connections/refusals.ts";
import { findLeg, findLegs, type PhoneLeg } from "./leg-store.ts";
import { MachineWatch } from "./machine/machine-watch.ts";
import { Transfers } from "./transfers/transfers.ts";

export interface PhoneCallsDeps {
  readonly bus: Bus;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly baseUrl: () => string;
  readonly tickets: TicketSigner;
  readonly metrics: Pick<Metrics, "phoneCallsTotal">;
  /** An organization's carrier. Throws `AppError` bad_request if the organization has not connected it. */
  readonly carrierOf: (orgId: string, name: CarrierName) => Promise<Connected>;
}

export interface Connected {
  readonly carrier: Carrier;
  readonly connectionId: string;
}

/** Where the media of a dialed call goes. */
export interface DialedCall {
  readonly sessionId: string;
  readonly node: { readonly publicUrl: string };
  /** Admits the phone's socket. */
  readonly ticket: string;
}

const RETRY_AFTER_SECS = 1;

/** The transfer's result is still unknown, or another transfer is under way: its end is reported later. */
const STILL_OPEN: readonly string[] = ["unavailable", "conflict"];

/** How the carrier's final status of a leg ends its call. */
const LAST_WORDS: Readonly<
  Record<Extract<CarrierEvent, { type: "ended" }>["status"], { ending: Ending; reason: EndReason }>
> = {
  completed: { ending: "hangs up", reason: "hangup" },
  busy: { ending: "is busy", reason: "busy" },
  "no-answer": { ending: "does not answer", reason: "no_answer" },
  failed: { ending: "fails", reason: "carrier_failed" },
  canceled: { ending: "is canceled", reason: "api_request" },
};

/** Phone legs of calls: dials them, follows their carrier events, and hangs them up. */
export class PhoneCalls {
  readonly #deps: PhoneCallsDeps;
  readonly #machines: MachineWatch;
  readonly #transfers: Transfers;
  readonly #refusals: CarrierRefusals;

  constructor(deps: PhoneCallsDeps) {
    this.#deps = deps;
    this.#refusals = new CarrierRefusals(deps);
    const callbackUrl = (connectionId: string, sessionId: string) =>
      this.#callbackUrl(connectionId, sessionId);
    this.#transfers = new Transfers({ ...deps, callbackUrl });
    this.#machines = new MachineWatch({
      ...deps,
      endLeg: (leg, reason) => this.#endSurely(leg, reason),
    });
  }

  carrierOf(orgId: string, name: CarrierName): Promise<Connected> {
    return this.#deps.carrierOf(orgId, name);
  }

  /** Whether carriers take their accounts. */
  get refusals(): CarrierRefusals {
    return this.#refusals;
  }

  /** Throws only what the carrier throws, which tells whether the phone may ring. */
  async dial(
    { carrier, connectionId }: Connected,
    { sessionId, node, ticket }: DialedCall,
    about: Pick<Dial, "to" | "from" | "ringTimeoutSecs" | "machineDetection">,
  ): Promise<{ callSid: string }> {
    const mediaUrl = mediaUrlOf(carrier, { publicUrl: node.publicUrl, sessionId, ticket });
    const callbackUrl = this.#callbackUrl(connectionId, sessionId);
    const placed = await carrier.dial({ sessionId, mediaUrl, callbackUrl, ...about });
    try {
      await adoptCallSid(this.#deps.database, sessionId, placed.callSid);
    } catch (error) {
      // The phone rings, and its callbacks carry the id, too.
      this.#deps.log.warn(
        { event: "leg_id_not_saved", sessionId, err: messageOf(error) },
        "failed to save the id of a phone leg",
      );
    }
    return placed;
  }

  /** Handles a carrier event of a call, idempotently. */
  async happened(sessionId: string, event: CarrierEvent): Promise<void> {
    const { database } = this.#deps;
    const leg = await findLeg(database, sessionId);
    if (!leg) return;
    if (leg.callSid === null && event.callSid !== "") await adoptCallSid(database, sessionId, event.callSid);
    if (isOver(leg.state)) return this.#afterEnd(leg, event);
    // E.g. a transfer's own leg, or one that the carrier renamed. An event without an id is of a failed dial.
    if (leg.callSid !== null && event.callSid !== leg.callSid && event.callSid !== "") {
      if (event.dialSid !== leg.callSid) return;
      await setCallSid(database, sessionId, event.callSid);
    }
    switch (event.type) {
      case "ringing":
        await moveCall(database, sessionId, { from: "queued", event: "rings" });
        return;
      case "machine":
        return this.#machines.onVerdict(leg, event.answeredBy);
      case "transferred":
        return this.#transfers.succeeded(leg);
      case "transfer_failed":
        return this.#transfers.cameBack(sessionId, event.why);
      case "ended":
        await this.#end(leg, endBy(leg.state, LAST_WORDS[event.status]));
        return;
      // Calls begin elsewhere and go live with their media; the rest is answered where the carrier asks.
      case "answered":
      case "asked":
      case "whispered":
      case "inbound":
      case "to_explain":
      case "explained":
        return;
      default:
        event satisfies never;
    }
  }

  /** Stops a phone that rings for a call given up because its dial seemed to have failed. */
  async #afterEnd({ sessionId, callSid }: PhoneLeg, { type }: CarrierEvent): Promise<void> {
    if (callSid === null && type !== "ended") await this.release(sessionId);
  }

  /** Looks for machines' greetings in what far ends said. Asks once for all: nearly none of them is a phone. Never throws. */
  async heard(messages: readonly CallMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const sessionIds = [...new Set(messages.map(({ sessionId }) => sessionId))];
    try {
      const legs = await findLegs(this.#deps.database, sessionIds);
      await Promise.all(
        legs
          .filter(({ state }) => !isOver(state))
          .map((leg) =>
            this.#heardOf(
              leg,
              messages.filter(({ sessionId }) => sessionId === leg.sessionId),
            ),
          ),
      );
    } catch (error) {
      this.#deps.log.warn(
        { event: "machine_greeting_check_failed", sessionIds, err: messageOf(error) },
        "failed to look for machines' greetings",
      );
    }
  }

  async #heardOf(leg: PhoneLeg, messages: readonly CallMessage[]): Promise<void> {
    try {
      for (const message of messages) await this.#machines.onHeard(leg, message);
    } catch (error) {
      this.#deps.log.warn(
        { event: "machine_greeting_check_failed", sessionIds: [leg.sessionId], err: messageOf(error) },
        "failed to look for machines' greetings",
      );
    }
  }

  /** Declines on behalf of the called member. Throws `AppError` unavailable if the call's holder could not be told. */
  async decline(sessionId: string): Promise<void> {
    const leg = await findLeg(this.#deps.database, sessionId);
    if (leg && !(await this.#end(leg, endFor(leg.state, "declined"))))
      throw new AppError("unavailable", "The call could not be ended. Decline it again.", {
        retryAfterSecs: RETRY_AFTER_SECS,
      });
  }

  /**
   * Hangs up the leg of a call that is over, unless the far end was handed over and talks on to somebody else. Throws
   * what the carrier throws if another try may help.
   */
  async over({ sessionId, reason }: Extract<CallEvent, { type: "call.ended" }>): Promise<void> {
    const leg = await findLeg(this.#deps.database, sessionId);
    if (!leg) return;
    if (!(await this.#transfers.over(leg, reason))) await this.#hangUp(leg);
  }

  /** Counts a phone call that is over. */
  count(carrier: CarrierName, outcome: string): void {
    this.#deps.metrics.phoneCallsTotal.inc({ carrier, outcome });
  }

  /** Hangs up the leg of a call that ended on our side. Never throws. */
  async release(sessionId: string): Promise<void> {
    const { database, log } = this.#deps;
    try {
      const leg = await findLeg(database, sessionId);
      if (leg) await this.#hangUp(leg);
    } catch (error) {
      log.warn(
        { event: "leg_hangup_failed", sessionId, err: messageOf(error) },
        "failed to hang up the phone leg of an ended call",
      );
    }
  }

  /** Throws what the carrier throws, unless it has no such call any more. */
  async #hangUp({ orgId, carrier: name, callSid }: PhoneLeg): Promise<void> {
    if (callSid === null) return;
    const { carrier } = await this.#deps.carrierOf(orgId, name);
    await carrier.hangUp(callSid).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    });
  }

  /** Handles an event of a transfer's second leg. Returns the reply to its carrier. */
  async targetHappened(
    leg: PhoneLeg,
    { transferId, event, carrier }: { transferId: string; event: CarrierEvent; carrier: Carrier },
  ): Promise<CarrierAnswer> {
    const { callSid } = leg;
    if (callSid !== null) return this.#transfers.targetHappened({ ...leg, callSid }, transferId, event);
    return carrier.acknowledge();
  }

  /**
   * Connects the far end to another number. Throws `AppError` session_ended, bad_request, conflict (a transfer is under
   * way), and what the carrier throws.
   */
  async transfer(sessionId: string, orgId: string, order: TransferOrder): Promise<void> {
    await this.#transfer(sessionId, orgId, { order, id: newId("trf") });
  }

  async #transfer(
    sessionId: string,
    orgId: string,
    { order, id }: { order: TransferOrder; id: string },
  ): Promise<void> {
    const leg = await findLeg(this.#deps.database, sessionId);
    if (!leg || leg.orgId !== orgId || isOver(leg.state))
      throw new AppError("session_ended", "There is no live phone call with this session.");
    const { callSid } = leg;
    if (leg.state !== "in-progress" || callSid === null)
      throw new AppError(
        "bad_request",
        "The call is not answered yet; only a live phone call can be transferred.",
      );
    await this.#transfers.begin({ ...leg, callSid }, order, id);
  }

  /** Runs a transfer that the agent requested; the agent is told of a refusal. Never throws. */
  async transferAsAsked({ id, sessionId, orgId, to, mode, whisper }: TransferRequested): Promise<void> {
    const order = { to, mode, ...(whisper === undefined ? {} : { whisper }) };
    const { log } = this.#deps;
    try {
      await this.#transfer(sessionId, orgId, { order, id });
    } catch (error) {
      log.warn(
        { event: "transfer_failed", sessionId, err: messageOf(error) },
        "failed to transfer a caller as the agent asked",
      );
      if (!(error instanceof AppError) || STILL_OPEN.includes(error.code)) return;
      const refused = { command: "transfer_failed", why: "refused", tell: true } as const;
      await commandCall(sessionId, refused, this.#deps).catch(() => undefined);
    }
  }

  /** The reply to a carrier that connects this call's media to its gateway. */
  async connectMedia(
    carrier: Carrier,
    { sessionId, orgId, callSid, publicUrl }: ConnectedLeg,
  ): Promise<CarrierAnswer> {
    const ticket = await this.#deps.tickets.sign({ sessionId, orgId, kind: "leg" });
    return carrier.connect({ callSid, mediaUrl: mediaUrlOf(carrier, { publicUrl, sessionId, ticket }) });
  }

  #callbackUrl(connectionId: string, sessionId: string): string {
    return `${this.#deps.baseUrl()}/api/public/carriers/${connectionId}/calls/${sessionId}`;
  }

  /** Ends a call that must not go on: its leg is hung up, too, unless its holder confirms. */
  async #endSurely(leg: PhoneLeg, reason: EndReason): Promise<void> {
    let isEnded = false;
    try {
      isEnded = await this.#end(leg, endFor(leg.state, reason));
    } finally {
      if (!isEnded) await this.release(leg.sessionId);
    }
  }

  /** Ends the call through its holder, or here if it has none. Returns false if the holder does not confirm. */
  async #end(leg: PhoneLeg, end: CallEnd): Promise<boolean> {
    const { bus } = this.#deps;
    const { sessionId } = leg;
    // The holder ends the call: it knows whether the call is live, and its duration.
    if ((await bus.keys.get(liveCallKey(sessionId))) !== undefined)
      return commandCall(sessionId, { command: "end", reason: end.reason }, this.#deps);
    await bus.keys.delete(callPlanKey(sessionId));
    await tellEnd(leg, { id: `evt_leg_${sessionId}`, seq: LATE_SEQ, end }, this.#deps);
    return true;
  }
}

type TransferRequested = Extract<CallEvent, { type: "call.transfer_requested" }>;
type CallMessage = Extract<CallEvent, { type: "call.message" }>;

export interface ConnectedLeg {
  readonly sessionId: string;
  readonly orgId: string;
  readonly callSid: string;
  /** Of the gateway that has the call. */
  readonly publicUrl: string;
}

function mediaUrlOf(
  { name, mediaPath }: Carrier,
  { publicUrl, sessionId, ticket }: { publicUrl: string; sessionId: string; ticket: string },
): string {
  const path = name === "loopback" ? `${sessionId}?ticket=${ticket}` : `${sessionId}/${ticket}`;
  return `${publicUrl}${mediaPath}/${path}`;
}
