import type { BrainClient } from "@parley/shared/brain/client.ts";
import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import type { Rehearsal } from "@parley/shared/contracts/rehearsals.ts";

/** What a caller does when the agent is done, or while it still talks. */
export interface CallerTurn {
  /** Undefined: the caller says nothing more. */
  readonly say: string | undefined;
  /** Whether they hang up after speaking. */
  readonly hangsUp: boolean;
}

type Transcript = Rehearsal["transcript"];

/** Plays the caller of a rehearsal. */
export interface RehearsedCaller {
  /**
   * How much of the agent's words the caller hears before they talk over them; undefined: they hear the agent out. May
   * be asked again as the words grow.
   */
  cutsIn(words: Transcript[number]): string | undefined;
  /**
   * The caller's turn after what they heard, whose end they talk over with `isCut`. Throws `BrainError` if a model
   * plays the caller and fails.
   */
  next(heard: Transcript, isCut: boolean): Promise<CallerTurn>;
}

export interface CallerDeps {
  readonly brain: BrainClient;
  /** The agent's brain, whose model service also plays the caller. */
  readonly agentBrain: BrainPlan;
  readonly orgId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onTokens: (tokens: ModelTokens) => void;
}
