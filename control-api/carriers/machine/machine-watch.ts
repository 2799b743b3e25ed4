import type { Bus } from "@parley/shared/bus/bus.ts";
import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import type { CallCommand } from "@parley/shared/contracts/call-commands.ts";
import { CALL_EVENTS_STREAM, type CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { EndReason } from "@parley/shared/contracts/call-life.ts";
import { hushKey, liveCallKey } from "@parley/shared/contracts/call-plan.ts";
import { machineVerdictSchema } from "@parley/shared/contracts/machine-verdict.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { commandCall } from "../../gateways/command-call.ts";
import type { AnsweredBy } from "../carrier.ts";
import type { PhoneLeg } from "../leg-store.ts";
import { greetingIn } from "./greeting.ts";
import { type AgentPolicy, findPolicy, moveMachineState, readMachineState } from "./machine-store.ts";
import {
  type MachineAction,
  type MachineEvent,
  type MachineStep,
  machineStep,
  SCREENED_MS,
} from "./verdict.ts";

/** Greetings come first; what is said later is said by whoever is there. An assistant rings somebody first. */
const LISTENED_MS = 30_000;
const LISTENED_SCREENED_MS = 120_000;
/** The agent stays quiet no longer, whatever becomes of this process. */
const HUSH_MS = 20_000;
const MEDIA_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;
/** Between what the gateway tells of a call and its end. */
const SEQ = 1_999_999_000;
const REASONS = { amd_hangup: "amd_hangup", ivr_hangup: "ivr_hangup" } as const;

/** What the gateway is asked for. */
function orderFor(agent: NonNullable<MachineStep["agent"]>, line: string | undefined): CallCommand {
  switch (agent) {
    case "hush":
      return { command: "hush", ms: HUSH_MS };
    case "announce":
      return { command: "announce", text: line ?? "", ms: SCREENED_MS };
    case "greet":
      return { command: "greet" };
    case "speak":
      return { command: "hush", ms: 0 };
  }
}

export interface MachineWatchDeps {
  readonly bus: Bus;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends the call for this reason, whether its media is there already or not. */
  readonly endLeg: (leg: PhoneLeg, reason: EndReason) => Promise<void>;
}

/** Finds out whether a machine answered, from the carrier's verdict and from what is heard, and acts on it. */
export class MachineWatch {
  readonly #deps: MachineWatchDeps;
  /** What ends the wait of a session's present state. Another process' one is known by its state. */
  readonly #waits = new Map<string, () => void>();

  constructor(deps: MachineWatchDeps) {
    this.#deps = deps;
  }

  onVerdict(leg: PhoneLeg, answeredBy: AnsweredBy): Promise<void> {
    return this.#step(leg, { type: "verdict", answeredBy });
  }

  /** Somebody, or something, at the other end said this. */
  async onHeard(leg: PhoneLeg, { text, at }: { text: string; at: string }): Promise<void> {
    if (leg.direction !== "outbound" || leg.machineState === "settled") return;
    const sinceMs = Date.parse(at) - (leg.startedAt?.getTime() ?? 0);
    if (sinceMs > (leg.machineState === "screened" ? LISTENED_SCREENED_MS : LISTENED_MS)) return;
    await this.#step(leg, { type: "heard", greeting: greetingIn(text) });
  }

  async #step(leg: PhoneLeg, event: MachineEvent): Promise<void> {
    const { database } = this.#deps;
    const policy = await findPolicy(database, leg);
    if (!policy) return;
    const before = await readMachineState(database, leg.sessionId);
    const step = machineStep(before, event, policy);
    // Of two processes that see it at once one acts.
    const isOurs = await moveMachineState(database, leg.sessionId, { from: before, ...step });
    if (!isOurs) return;
    if (step.state !== before) this.#wait(leg, step);
    await this.#carryOut(leg, step, policy);
  }

  /** The wait of the state before is over, whatever it was for. */
  #wait(leg: PhoneLeg, { state, expireMs }: MachineStep): void {
    const { clock, log } = this.#deps;
    const { sessionId } = leg;
    this.#waits.get(sessionId)?.();
    this.#waits.delete(sessionId);
    if (expireMs === undefined) return;
    const cancel = clock.after(expireMs, () => {
      this.#waits.delete(sessionId);
      this.#step(leg, { type: "expired", of: state }).catch((error: unknown) => {
        log.warn({ sessionId, err: messageOf(error) }, "a machine's greeting was not waited out");
      });
    });
    this.#waits.set(sessionId, cancel);
  }

  async #carryOut(leg: PhoneLeg, step: MachineStep, { message, screeningLine }: AgentPolicy): Promise<void> {
    const { sessionId } = leg;
    const { agent, action } = step;
    if (agent !== undefined) await this.#order(sessionId, orderFor(agent, screeningLine));
    if (action === undefined) return;
    await this.#tell(leg, step.answeredBy ?? leg.answeredBy, action);
    if (action === "voicemail_drop") {
      const leave = { command: "leave", text: message ?? "", reason: "voicemail_drop" } as const;
      await commandCall(sessionId, leave, this.#deps);
    } else if (action !== "call_screen") {
      await this.#deps.endLeg(leg, REASONS[action]);
    }
  }

  /** The verdict may be here before the carrier's media is: its gateway finds what concerns its first moment. */
  async #order(sessionId: string, order: CallCommand): Promise<void> {
    const { keys } = this.#deps.bus;
    if (order.command === "hush" && (await keys.get(liveCallKey(sessionId))) === undefined)
      await (order.ms > 0
        ? keys.set(hushKey(sessionId), String(order.ms), MEDIA_WITHIN_MS)
        : keys.delete(hushKey(sessionId)));
    if (await this.#isHeld(sessionId)) await commandCall(sessionId, order, this.#deps);
  }

  async #isHeld(sessionId: string): Promise<boolean> {
    const { bus, clock } = this.#deps;
    const endMs = clock.monotonicMs() + MEDIA_WITHIN_MS;
    while ((await bus.keys.get(liveCallKey(sessionId))) === undefined) {
      if (clock.monotonicMs() > endMs) return false;
      await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
    }
    return true;
  }

  /** What the carrier took for a person, and the words say is none, was found by its words. */
  async #tell({ sessionId, orgId }: PhoneLeg, verdict: string | null, action: MachineAction): Promise<void> {
    const { bus, clock } = this.#deps;
    const isMachine = verdict?.startsWith("machine") || verdict === "fax";
    // A fax is a `machine` here (spec 2 has no word for it); `call.ended` calls it by its name.
    const answeredBy = isMachine ? machineVerdictSchema.parse(verdict) : "machine_text_detect";
    const at = toTimestamp(clock.wallMs());
    const event: CallEvent = {
      // A mailbox may come after an assistant: each is told once.
      id: action === "call_screen" ? `evt_screen_${sessionId}` : `evt_machine_${sessionId}`,
      sessionId,
      orgId,
      seq: action === "call_screen" ? SEQ - 1 : SEQ,
      at,
      type: "call.machine_detected",
      answeredBy,
      action,
      detectedAt: at,
    };
    await bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(event));
  }
}
