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
import type { ToolOutcome } from "./tools/outcome.ts";

export interface BrainDeps {
  /** They vet addresses at connect time and keep connections alive, for each organization its own. */
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
  /** Runs tools that need the organization's credentials, which are in the control API. */
  readonly controlApiTools: ControlApiTools;
}

/** A line of the agent's own (first response, silence prompt), as far as it was heard. */
export interface AgentLine {
  /** The turn after which it was said; 0 before the first. */
  readonly turn: number;
  readonly text: string;
}

/** Something that was said before, by the end user or by the agent. */
export interface HistoryMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface BrainQuestion<P extends BrainPlan = BrainPlan> {
  readonly plan: P;
  /** Whose agent it is: its failures, connections and look-ups are counted apart from all others'. */
  readonly orgId: string;
  /** Its strings are the variables that fill a model's prompt. */
  readonly request: BrainRequest;
  /** Aborting it closes the request: the endpoint sees its client go away. */
  readonly signal: AbortSignal;
  /** W3C trace context handed on to the brain. */
  readonly traceparent?: string | undefined;
  /** The request is on the wire (monotonic ms); called again for a second try. */
  readonly onSent: (atMs: number) => void;
  readonly onFirstContent: () => void;
  /** What each request to a model used; of brains that are none nothing is known. Absent: nobody counts. */
  readonly onTokens?: ((tokens: ModelTokens) => void) | undefined;
  /** Trusted identity of the end user, for tools whose owner wants it. */
  readonly identifier?: string | null;
  /** What the agent said that no brain gave it; a model is told. */
  readonly lines?: readonly AgentLine[];
  /** All that was said before this turn, by who keeps it; absent: a model remembers what it answered under this plan object. */
  readonly history?: readonly HistoryMessage[];
  /** In text nothing can be hung up, transferred or keyed: a model is not offered it. Absent: voice. */
  readonly medium?: "voice" | "text";
  /** Whether tools that ask somebody else are run; when not, the answer ends where one would be. Absent: they are. */
  readonly runTools?: boolean;
  /** What tools give in a rehearsal, where nothing is called for real. */
  readonly toolGives?: (tool: string) => ToolOutcome;
  /** Agents that the conversation can be handed to; absent: none. */
  readonly handsTo?: readonly string[];
  /** Functions beside a model's tools, which run nothing. */
  readonly ways?: ModelWays;
  /** Absent: a flow remembers where it stands under this plan object. */
  readonly flow?: KeptFlow;
}

/** A way out of what a model talks about: a function that ends its answer. */
export interface ModelWays {
  readonly definitions: readonly ToolDefinition[];
  /** With the arguments as the model wrote them. */
  readonly onTaken: (name: string, argumentsText: string) => void;
}

/** Where a conversation stands in its flow, by who keeps it between its turns. */
export interface KeptFlow {
  /** Undefined before the first turn. */
  readonly state: FlowState | undefined;
  /** Called with each step. */
  readonly onState: (state: FlowState) => void;
}

export interface BrainClient<P extends BrainPlan = BrainPlan> {
  /**
   * Asks an agent's brain and gives its answer as it streams. One more try when nothing came yet.
   * Throws `BrainError`; ends silently when the signal is aborted.
   */
  ask(question: BrainQuestion<P>): AsyncIterable<BrainPart>;
}
