import type { Bus } from "@parley/shared/bus/bus.ts";
import { appendCallEvent } from "@parley/shared/bus/call-event-stream.ts";
import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import { type CallCommand, COMMAND_DEADLINE_MS } from "@parley/shared/contracts/call-commands.ts";
import { type CallEvent, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
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

/** Greetings come first; later speech comes from whoever is on the line. */
const LISTENED_AT_FIRST_MS = 30_000;
/** Listening time by state: a greeting under way continues, and an assistant rings a person first. */
const LISTENED_MS: Partial<Record<MachineState, number>> = {
  suspected: LONGEST_GREETING_MS,
  waiting: LONGEST_GREETING_MS,
  screened: 120_000,
};
/** Each lost race means that another process advanced, and the steps are few. */
const MAX_TRIES = 10;
/** Upper bound on the agent's silence, even if this process dies. */
const MUTE_MS = 20_000;
const MEDIA_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;
/** Sorts after the gateway's events of a call and before its end. */
const SEQ = 1_999_999_000;
const REASONS = { amd_hangup: "amd_hangup", ivr_hangup: "ivr_hangup" } as const;

/** Command for the gateway. */
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
  /** Ends the call for this reason, whether or not its media has arrived. */
  readonly endLeg: (leg: PhoneLeg, reason: EndReason) => Promise<void>;
}

/** Maps what happened to an event for the current state; undefined when it no longer matters to detection. */
type Happened = (position: MachinePosition) => Promise<MachineEvent | undefined>;

/** Detects answering machines from the carrier's verdict and from recognized speech, and acts on them. */
export class MachineWatch {
  readonly #deps: MachineWatchDeps;
  /** Cancels the wait of each session's current state. The step number detects waits that another process ended. */
  readonly #waits = new Map<string, () => void>();

  constructor(deps: MachineWatchDeps) {
    this.#deps = deps;
  }

  onVerdict(leg: PhoneLeg, answeredBy: AnsweredBy): Promise<void> {
    return this.#step(leg, async () => ({ type: "verdict", answeredBy }));
  }

  /** Handles recognized words from the far end. */
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
      // If two processes see it at once, one acts; the other re-evaluates against the new state.
      if (!(await moveMachineRow(database, sessionId, { from, to }))) continue;
      if (moves) this.#wait(leg, step, to.steps);
      return this.#carryOut(leg, { ...step, verdict: to.answeredBy }, policy);
    }
    throw new Error("machine detection moved on each time");
  }

  /** Replaces the previous state's wait, whatever it was for. */
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

  /** Time since the far end last spoke; undefined if it never did, or if no gateway can tell. */
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
    // Recorded first: whatever happens to the commands, no process takes this step again.
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

  /** The verdict may precede the carrier's media: its gateway finds commands for its first moment. */
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

  /** If the carrier heard a person but the words did not, the words made the detection. */
  async #tell({ sessionId, orgId }: PhoneLeg, verdict: string | null, action: MachineAction): Promise<void> {
    const { bus, clock } = this.#deps;
    const isMachine = verdict?.startsWith("machine") || verdict === "fax";
    // The event has no word for fax, so it reports `machine`; `call.ended` names the fax.
    const answeredBy = isMachine ? machineVerdictSchema.parse(verdict) : "machine_text_detect";
    const detectedMs = clock.wallMs();
    const event: CallEvent = {
      // A mailbox may follow an assistant; each is reported once.
      id: action === "call_screen" ? `evt_screen_${sessionId}` : `evt_machine_${sessionId}`,
      sessionId,
      orgId,
      seq: action === "call_screen" ? SEQ - 1 : SEQ,
      // The report follows the detection closely and never has the same time.
      at: toTimestamp(detectedMs + 1),
      type: "call.machine_detected",
      answeredBy,
      action,
      detectedAt: toTimestamp(detectedMs),
    };
    await appendCallEvent(bus.streams, encodeCallEvent(event));
  }
}
