import { BrainError } from "@parley/shared/brain/brain-error.ts";
import type { BrainClient } from "@parley/shared/brain/client.ts";
import type { BrainQuestion, HistoryMessage } from "@parley/shared/brain/port.ts";
import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import type { CallEventBody } from "@parley/shared/contracts/call-events.ts";
import { agentsEndReason } from "@parley/shared/contracts/call-status.ts";
import type { Rehearsal, Scenario } from "@parley/shared/contracts/rehearsals.ts";
import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { CallableAgent } from "../../agents/agents/agent-for-call.ts";
import { spokenLine } from "../../agents/agents/spoken-lines.ts";
import { NOBODY } from "../chat/answer.ts";
import { bodiesOf } from "../chat/chat-events.ts";
import { Draft } from "../chat/draft.ts";
import { handedTo, type Talker, talkerOf } from "../chat/talker.ts";
import { callerOf } from "./caller.ts";
import { judgeAll } from "./judge-all.ts";
import type { CallerDeps, RehearsedCaller } from "./rehearsed-caller.ts";

/** Per answer. */
const MAX_HAND_OFFS = 5;
/** Per rehearsal; reports are stored and compared. */
const MAX_TRANSCRIPT_CHARS = 200_000;

export interface RehearsedAgent {
  readonly agent: CallableAgent;
  readonly orgId: string;
  readonly userId: string;
  readonly variables: Readonly<Record<string, string>>;
}

export interface RehearseDeps {
  readonly brain: BrainClient;
  readonly clock: Clock;
  /** Aborts when nobody waits for the report any longer, or when time is up. */
  readonly signal: AbortSignal;
}

interface Asked {
  readonly history: readonly HistoryMessage[];
  readonly handOffs: number;
  readonly heard: BrainQuestion["request"]["heard"];
}

/** A finished rehearsal, and the data for its record. */
export interface HeldRehearsal {
  readonly rehearsal: Rehearsal;
  readonly bodies: readonly (CallEventBody & { readonly at: string })[];
  readonly startedMs: number;
}

/** Holds one scripted conversation; a failing brain does not make it throw. */
export async function rehearse(
  scenario: Scenario,
  rehearsed: RehearsedAgent,
  deps: RehearseDeps,
): Promise<HeldRehearsal> {
  const conversation = new RehearsedConversation(scenario, rehearsed, deps);
  await conversation.hold();
  return conversation.held();
}

class RehearsedConversation {
  readonly #scenario: Scenario;
  readonly #rehearsed: RehearsedAgent;
  readonly #deps: RehearseDeps;
  readonly #caller: RehearsedCaller;
  readonly #modelDeps: CallerDeps;
  readonly #sessionId = newId("ses");
  readonly #startedMs: number;
  readonly #transcript: Rehearsal["transcript"] = [];
  readonly #bodies: (CallEventBody & { readonly at: string })[] = [];
  readonly #path: string[] = [];
  readonly #tools: Rehearsal["tools"] = [];
  #talker: Talker;
  #turn = 0;
  /** What was heard of an interrupted answer; sent with the next question. */
  #heard: BrainQuestion["request"]["heard"];
  #slowestMs = 0;
  #endReason: string | undefined;
  #error: string | null = null;

  constructor(scenario: Scenario, rehearsed: RehearsedAgent, deps: RehearseDeps) {
    this.#scenario = scenario;
    this.#rehearsed = rehearsed;
    this.#deps = deps;
    this.#startedMs = deps.clock.wallMs();
    const { agent, variables, orgId, userId } = rehearsed;
    const { brain } = agent.settings;
    this.#modelDeps = {
      ...{ brain: deps.brain, agentBrain: brain, orgId, userId, variables, signal: deps.signal },
      sessionId: this.#sessionId,
      onTokens: (used) => {
        const at = toTimestamp(deps.clock.wallMs());
        this.#bodies.push({ type: "call.tokens_used", ...used, turn: this.#turn, at });
      },
    };
    this.#caller = callerOf(scenario.caller, this.#modelDeps);
    const turn = { agentId: agent.id, agentVersion: agent.version, brain, team: agent.team };
    this.#talker = talkerOf({ ...turn, variables, place: undefined });
  }

  async hold(): Promise<void> {
    try {
      await this.#open();
      while (this.#endReason === undefined) await this.#goOn();
    } catch (error) {
      const isBrains =
        error instanceof BrainError || (error instanceof AppError && error.code === "response_too_large");
      if (!isBrains) throw error;
      this.#error = error.message;
      this.#endReason = "brain_failed";
    }
  }

  async held(): Promise<HeldRehearsal> {
    const { name, criteria } = this.#scenario;
    const transcript = this.#transcript;
    const endReason = this.#endReason ?? "hangup";
    const about = { transcript, path: this.#path, tools: this.#tools, endReason, turns: this.#turn };
    const judged = [...(await judgeAll(criteria, about, this.#modelDeps))];
    const passed = this.#error === null && judged.every((one) => one.passed);
    const measured = { slowestMs: this.#slowestMs, error: this.#error };
    const rehearsal = { name, passed, sessionId: this.#sessionId, ...about, ...measured, criteria: judged };
    return { rehearsal, bodies: this.#bodies, startedMs: this.#startedMs };
  }

  async #open(): Promise<void> {
    const { agent, variables } = this.#rehearsed;
    const line = spokenLine(agent.settings.firstResponse, variables);
    if (line !== undefined) this.#said("assistant", line, "agent");
    else if (this.#talker.brain.kind === "flow") await this.#ask("");
  }

  async #goOn(): Promise<void> {
    if (this.#deps.signal.aborted)
      throw new BrainError("idle_timeout", "The rehearsals took too long together.");
    const last = this.#transcript.at(-1);
    const heard = last?.role === "assistant" ? this.#caller.cutsIn(last) : undefined;
    const lines =
      last && heard !== undefined ? this.#transcript.with(-1, { ...last, text: heard }) : this.#transcript;
    const { say, hangsUp } = await this.#caller.next(lines, heard !== undefined);
    // An aborted model ends without output, like one that hangs up.
    if (this.#deps.signal.aborted)
      throw new BrainError("idle_timeout", "The rehearsals took too long together.");
    if (charsOf(this.#transcript) > MAX_TRANSCRIPT_CHARS)
      throw new BrainError("too_large", "More was said than a rehearsal may be long.");
    if (say !== undefined && this.#turn >= this.#scenario.maxTurns) {
      this.#endReason = "max_turns";
      return;
    }
    if (say !== undefined) {
      if (heard !== undefined) this.#cutOff(heard);
      const history = this.#history();
      this.#turn += 1;
      this.#said("user", say, "text");
      if (!hangsUp) await this.#ask(say, history);
    }
    if (hangsUp) this.#endReason = "hangup";
  }

  async #ask(said: string, history: readonly HistoryMessage[] = []): Promise<void> {
    const { clock } = this.#deps;
    const askedMs = clock.monotonicMs();
    const heard = this.#heard;
    this.#heard = undefined;
    const draft = new Draft(NOBODY, this.#talker);
    try {
      await this.#answer(draft, { said, history, heard });
    } finally {
      this.#slowestMs = Math.max(this.#slowestMs, Math.round(clock.monotonicMs() - askedMs));
      // Keep a failed answer, too: its text and its tokens.
      this.#keep(draft);
    }
  }

  async #answer(draft: Draft, { said, history, heard }: Omit<Asked, "handOffs"> & { readonly said: string }) {
    for (let handOffs = 0; this.#talker.opening === "" || handOffs === 0; handOffs++) {
      const question = { ...this.#question(said, { history, handOffs, heard }), onTokens: draft.onTokens };
      for await (const part of this.#deps.brain.ask(question)) {
        draft.add(part);
        if (part.type === "control" && part.control.event === "transfer") this.#endReason = "transferred";
        if (draft.isEnded) break;
      }
      const next = draft.isEnded ? undefined : handedTo(this.#turnOf(), draft.takeHandOff());
      if (!next) break;
      this.#talker = next;
      draft.goOn(next);
      if (next.opening !== "") draft.say(next.opening);
    }
  }

  #question(said: string, { history, handOffs, heard }: Asked) {
    const { orgId, userId, variables, agent } = this.#rehearsed;
    const talker = this.#talker;
    const query = talker.isNew && talker.brain.kind === "flow" && handOffs > 0 ? "" : said;
    return {
      plan: talker.brain,
      orgId,
      request: {
        ...{ channel: SIMULATION, ...variables, ...talker.variables },
        ...{ query, userId, sessionId: this.#sessionId, turn: this.#turn },
        ...(heard === undefined ? {} : { heard }),
      },
      history,
      handsTo: handOffs < MAX_HAND_OFFS ? agent.team.map(({ agentId }) => agentId) : [],
      flow: {
        state: talker.state,
        onState: (state: NonNullable<Talker["state"]>) => {
          talker.state = state;
        },
      },
      signal: this.#deps.signal,
      onSent: () => undefined,
      onFirstContent: () => undefined,
    };
  }

  #keep(draft: Draft): void {
    const { brain } = this.#talker;
    const answer = draft.finish({ isInterrupted: false, tookMs: 0, brain, place: undefined });
    const at = toTimestamp(this.#deps.clock.wallMs());
    for (const part of answer.parts) {
      this.#path.push(...part.path);
      this.#tools.push(...part.tools.map(({ name, status }) => ({ name, status })));
      this.#bodies.push(...bodiesOf(part, { turn: this.#turn, interrupted: false, at }));
      if (part.reply !== "") this.#transcript.push({ role: "assistant", text: part.reply, turn: this.#turn });
    }
    if (answer.isEnded) this.#endReason = agentsEndReason(brain);
  }

  #said(role: "user" | "assistant", text: string, source: "text" | "agent"): void {
    const at = toTimestamp(this.#deps.clock.wallMs());
    this.#transcript.push({ role, text, turn: this.#turn });
    const message = {
      type: "call.message",
      turn: this.#turn,
      role,
      text,
      interrupted: false,
      source,
    } as const;
    this.#bodies.push({ ...message, at });
  }

  /** Cuts the agent's last answer to what the caller heard before interrupting. */
  #cutOff(heard: string): void {
    const last = this.#transcript.at(-1);
    if (last?.role !== "assistant" || heard.length >= last.text.length) return;
    this.#transcript[this.#transcript.length - 1] = { ...last, text: heard };
    const at = this.#bodies.findLastIndex(({ type }) => type === "call.message");
    const body = this.#bodies[at];
    if (body?.type === "call.message") this.#bodies[at] = { ...body, text: heard, interrupted: true };
    // Endpoints are told of turns, and the greeting belongs to none.
    if (last.turn > 0 || this.#talker.brain.kind === "flow")
      this.#heard = { turn: last.turn, text: heard, interruptedAtMs: 0 };
  }

  #history(): readonly HistoryMessage[] {
    return this.#transcript.map(({ role, text }) => ({ role, text }));
  }

  #turnOf() {
    const { agent, variables } = this.#rehearsed;
    const { brain } = agent.settings;
    const place = undefined;
    return { agentId: agent.id, agentVersion: agent.version, brain, team: agent.team, variables, place };
  }
}

function charsOf(transcript: Rehearsal["transcript"]): number {
  return transcript.reduce((sum, { text }) => sum + text.length, 0);
}
