import type { BrainClient } from "@parley/shared/brain/client.ts";
import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import type { Rehearsal } from "@parley/shared/contracts/rehearsals.ts";

/** What a caller does when the agent is done, or while it still talks. */
export interface CallerTurn {
  /** Undefined: nothing more. */
  readonly say: string | undefined;
  /** So much of the agent's last words they listened to; undefined: all. */
  readonly heard?: string | undefined;
  /** After what they say. */
  readonly hangsUp: boolean;
}

/** Who plays the caller of a rehearsal. */
export interface RehearsedCaller {
  /** Throws `BrainError` of a model that plays them. */
  next(transcript: Rehearsal["transcript"]): Promise<CallerTurn>;
}

export interface CallerDeps {
  readonly brain: BrainClient;
  /** The agent's: its model's service also plays the caller. */
  readonly agentBrain: BrainPlan;
  readonly orgId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onTokens: (tokens: ModelTokens) => void;
}
