import type { Clock } from "../clock.ts";
import type { BrainRequest } from "../contracts/brain.ts";
import type { BrainPlan } from "../contracts/brain-plan.ts";
import type { FlowState } from "../flows/state.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { Dispatchers } from "../net/dispatchers.ts";
import type { ControlApiTools } from "../tool-runs/port.ts";
import type { ModelTokens } from "./model/tokens.ts";
import type { BrainPart } from "./parts.ts";
import type { ToolDefinition } from "./tools/definitions.ts";

export interface BrainDeps {
  /** Vet addresses at connect time and keep connections alive, separately for each organization. */
  readonly dispatchers: Dispatchers;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<
    Metrics,
    | "brainErrorsTotal"
    | "brainUnknownEventsTotal"
    | "brainStreamsWithoutDoneTotal"
    | "brainConnectSeconds"
    | "toolRunSeconds"
  >;
  /** Runs tools that need the organization's credentials, which only the control API holds. */
  readonly controlApiTools: ControlApiTools;
}

/** A line the agent spoke itself (first response, silence prompt), as far as it was heard. */
export interface AgentLine {
  /** The turn after which the line was said; 0 before the first. */
  readonly turn: number;
  readonly text: string;
}

/** Something the end user or the agent said earlier. */
export interface HistoryMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface BrainQuestion<P extends BrainPlan = BrainPlan> {
  readonly plan: P;
  /** The agent's organization: failures, connections, and look-ups are counted per organization. */
  readonly orgId: string;
  /** The strings of the request are the variables that fill a model's prompt. */
  readonly request: BrainRequest;
  /** Aborting closes the request: the endpoint sees its client go away. */
  readonly signal: AbortSignal;
  /** W3C trace context passed to the brain. */
  readonly traceparent?: string | undefined;
  /** Called when the request is on the wire (monotonic ms), and again for a retry. */
  readonly onSent: (atMs: number) => void;
  readonly onFirstContent: () => void;
  /** Called with what each model request used; brains that are no model report nothing. Absent: nobody counts. */
  readonly onTokens?: ((tokens: ModelTokens) => void) | undefined;
  /** Trusted identity of the end user, for tools whose owner wants it. */
  readonly identifier?: string | null;
  /** Lines the agent said that came from no brain; a model is shown them. */
  readonly lines?: readonly AgentLine[];
  /**
   * All that was said before this turn, when the asker keeps it; absent: a model remembers its answers under this
   * plan object.
   */
  readonly history?: readonly HistoryMessage[];
  /**
   * A text conversation cannot hang up, transfer, or press keys, so a model is not offered those tools. Absent:
   * voice.
   */
  readonly medium?: "voice" | "text";
  /** Whether tools that call out are run; if not, the answer ends where one would be. Absent: they are. */
  readonly runTools?: boolean;
  /** Agents to whom the conversation can be handed off; absent: none. */
  readonly handsTo?: readonly string[];
  /** Functions offered beside a model's tools, which run nothing. */
  readonly ways?: ModelWays;
  /** Absent: a flow remembers where it stands under this plan object. */
  readonly flow?: KeptFlow;
}

/** Ways out of a model's conversation: functions that end its answer. */
export interface ModelWays {
  readonly definitions: readonly ToolDefinition[];
  /** Called with the arguments as the model wrote them. */
  readonly onTaken: (name: string, argumentsText: string) => void;
}

/** A conversation's position in its flow, when the asker keeps it between turns. */
export interface KeptFlow {
  /** Undefined before the first turn. */
  readonly state: FlowState | undefined;
  /** Called after each step. */
  readonly onState: (state: FlowState) => void;
}

export interface BrainClient<P extends BrainPlan = BrainPlan> {
  /**
   * Asks an agent's brain and streams its answer. Retries once if nothing came yet. Throws `BrainError`; ends
   * silently when the signal is aborted.
   */
  ask(question: BrainQuestion<P>): AsyncIterable<BrainPart>;
}
