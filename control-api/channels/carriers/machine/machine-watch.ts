import type { Bus } from "@parley/shared/bus/bus.ts";
import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import { type CallCommand, COMMAND_DEADLINE_MS } from "@parley/shared/contracts/call-commands.ts";
import { CALL_EVENTS_STREAM, type CallEvent, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import { liveCallKey, muteKey } from "@parley/shared/contracts/call-plan.ts";
import { type EndReason, isOver } from "@parley/shared/contracts/call-status.ts";
import { machineVerdictSchema } from "@parley/shared/contracts/machine-verdict.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../../../database/open.ts";
import { moveMachineRow } from "../../../records/call-rows/leg.ts";
import { askCall, commandCall } from "../../gateways/command-call.ts";
import type { AnsweredBy } from "../carrier.ts";
import { findLeg, type PhoneLeg } from "../leg-store.ts";
import { greetingIn } from "./greeting.ts";
import { type AgentPolicy, findPolicy, type MachinePosition, readMachinePosition } from "./machine-store.ts";
import {
  LONGEST_GREETING_MS,
  type MachineAction,
  type MachineEvent,
  type MachineState,
  type MachineStep,
  machineStep,
  SCREENED_MS,
} from "./verdict.ts";

/** Greetings come first; what is said later is said by whoever is there. */
const LISTENED_AT_FIRST_MS = 30_000;
/** By state: a greeting that has begun goes on, and an assistant rings somebody first. */
const LISTENED_MS: Partial<Record<MachineState, number>> = {
  suspected: LONGEST_GREETING_MS,
  waiting: LONGEST_GREETING_MS,
  screened: 120_000,
};
/** Each lost race is another process' progress, and there are only so many steps. */
const MAX_TRIES = 10;
/** The agent stays quiet no longer, whatever becomes of this process. */
const MUTE_MS = 20_000;
const MEDIA_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;
/** Between what the gateway tells of a call and its end. */
const SEQ = 1_999_999_000;
const REASONS = { amd_hangup: "amd_hangup", ivr_hangup: "ivr_hangup" } as const;

/** What the gateway is asked for. */
function orderFor(agent: NonNullable<MachineStep["agent"]>, line: string | undefined): CallCommand {
  switch (agent) {
    case "mute":
      return { command: "mute", ms: MUTE_MS };
    case "announce":
      return { command: "announce", text: line ?? "", ms: SCREENED_MS };
    case "greet":
      return { command: "greet" };
    case "speak":
      return { command: "mute", ms: 0 };
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

/** What happened, seen from where the detection stands now; undefined when it does not concern it any more. */
type Happened = (position: MachinePosition) => Promise<MachineEvent | undefined>;

/** Finds out whether a machine answered, from the carrier's verdict and from what is heard, and acts on it. */
export class MachineWatch {
  readonly #deps: MachineWatchDeps;
  /** What ends the wait of a session's present state. A wait that another process ended is known by its step. */
  readonly #waits = new Map<string, () => void>();

  constructor(deps: MachineWatchDeps) {
    this.#deps = deps;
  }

  onVerdict(leg: PhoneLeg, answeredBy: AnsweredBy): Promise<void> {
    return this.#step(leg, async () => ({ type: "verdict", answeredBy }));
  }

  /** Somebody, or something, at the other end said this. */
  async onHeard(leg: PhoneLeg, { text, at }: { text: string; at: string }): Promise<void> {
    if (leg.direction !== "outbound" || leg.machineState === "settled") return;
    const greeting = greetingIn(text);
    await this.#step(leg, async ({ state }) => {
      // Words may be recorded before the start of their call is.
      const sinceMs = leg.startedAt === null ? 0 : Date.parse(at) - leg.startedAt.getTime();
      if (sinceMs > (LISTENED_MS[state] ?? LISTENED_AT_FIRST_MS)) return undefined;
      const isTalking = state === "suspected" && (await this.#quietMs(leg)) === 0;
      return { type: "heard", greeting, isTalking };
    });
  }

  async #step(leg: PhoneLeg, happened: Happened): Promise<void> {
    const { database } = this.#deps;
    const { sessionId } = leg;
    const policy = await findPolicy(database, leg);
    if (!policy) return;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const from = await readMachinePosition(database, sessionId);
      const event = await happened(from);
      if (!event) return;
      const step = machineStep(from.state, event, policy);
      const moves = step.state !== from.state || step.expireMs !== undefined;
      if (!moves && step.answeredBy === undefined) return;
      const to: MachinePosition = {
        state: step.state,
        steps: from.steps + (moves ? 1 : 0),
        answeredBy: step.answeredBy ?? from.answeredBy,
      };
      // Of two processes that see it at once one acts; the other looks again at what the first made of it.
      if (!(await moveMachineRow(database, sessionId, { from, to }))) continue;
      if (moves) this.#wait(leg, step, to.steps);
      return this.#carryOut(leg, { ...step, verdict: to.answeredBy }, policy);
    }
    throw new Error("machine detection moved on each time");
  }

  /** The wait of the state before is over, whatever it was for. */
  #wait(leg: PhoneLeg, { state, expireMs }: MachineStep, steps: number): void {
    const { clock, log } = this.#deps;
    const { sessionId } = leg;
    this.#waits.get(sessionId)?.();
    this.#waits.delete(sessionId);
    if (expireMs === undefined) return;
    const cancel = clock.after(expireMs, () => {
      this.#waits.delete(sessionId);
      this.#step(leg, (position) => this.#expired(leg, position, { state, steps })).catch(
        (error: unknown) => {
          log.warn(
            { event: "machine_greeting_wait_failed", sessionId, err: messageOf(error) },
            "failed to wait for the end of a machine's greeting",
          );
        },
      );
    });
    this.#waits.set(sessionId, cancel);
  }

  async #expired(
    { sessionId }: PhoneLeg,
    position: MachinePosition,
    wait: { state: MachineState; steps: number },
  ): Promise<MachineEvent | undefined> {
    if (position.steps !== wait.steps) return undefined;
    const { clock, database } = this.#deps;
    const leg = await findLeg(database, sessionId);
    if (!leg || isOver(leg.state)) return undefined;
    const quietMs = wait.state === "screened" ? undefined : await this.#quietMs(leg);
    const isLate = clock.wallMs() - (leg.startedAt?.getTime() ?? 0) > LONGEST_GREETING_MS;
    return { type: "expired", of: wait.state, quietMs, isLate: leg.startedAt !== null && isLate };
  }

  /** Since the far end's last voice; undefined when none was heard, or nobody can say. */
  async #quietMs({ sessionId }: PhoneLeg): Promise<number | undefined> {
    const asked = { command: { command: "voice" }, deadlineMs: COMMAND_DEADLINE_MS } as const;
    const reply = await askCall(sessionId, asked, this.#deps);
    return reply?.ok === true ? reply.quietMs : undefined;
  }

  async #carryOut(
    leg: PhoneLeg,
    { agent, action, verdict }: MachineStep & { readonly verdict: string | null },
    { message, screeningLine }: AgentPolicy,
  ): Promise<void> {
    const { sessionId } = leg;
    // First: whatever becomes of the orders, the step is taken and nobody takes it again.
    if (action !== undefined) await this.#tell(leg, verdict, action);
    if (agent !== undefined) await this.#order(sessionId, orderFor(agent, screeningLine));
    if (action === undefined) return;
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
    if (order.command === "mute" && (await keys.get(liveCallKey(sessionId))) === undefined)
      await (order.ms > 0
        ? keys.set(muteKey(sessionId), String(order.ms), MEDIA_WITHIN_MS)
        : keys.delete(muteKey(sessionId)));
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
    // A fax is a `machine` here (the event has no word for it); `call.ended` calls it by its name.
    const answeredBy = isMachine ? machineVerdictSchema.parse(verdict) : "machine_text_detect";
    const detectedMs = clock.wallMs();
    const event: CallEvent = {
      // A mailbox may come after an assistant: each is told once.
      id: action === "call_screen" ? `evt_screen_${sessionId}` : `evt_machine_${sessionId}`,
      sessionId,
      orgId,
      seq: action === "call_screen" ? SEQ - 1 : SEQ,
      // Told after it was detected: the two are close, and never equal.
      at: toTimestamp(detectedMs + 1),
      type: "call.machine_detected",
      answeredBy,
      action,
      detectedAt: toTimestamp(detectedMs),
    };
    await bus.streams.append(CALL_EVENTS_STREAM, encodeCallEvent(event));
  }
}
