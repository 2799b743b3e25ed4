import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import type { ChatTool } from "@parley/shared/contracts/chat.ts";
import type { ChatPlace } from "./chat-place.ts";

/** The brain's answer to one message. */
export interface Answer {
  readonly reply: string;
  readonly tools: readonly ChatTool[];
  /** The brain ended the chat. */
  readonly isEnded: boolean;
  /** The listener left before the answer was complete. */
  readonly isInterrupted: boolean;
  readonly tookMs: number;
  /** What each agent said and did, in order; the first is the agent that had the chat before. */
  readonly parts: readonly AnswerPart[];
  /** Brain of the agent that now has the chat. */
  readonly brain: BrainPlan;
  /** Where the chat stands now; undefined where the agent's brain keeps track itself. */
  readonly place: ChatPlace | undefined;
}

/** One agent's share of an answer. */
export interface AnswerPart {
  readonly agentId: string;
  readonly agentVersion: number;
  /** The summary it received if the chat was handed to it in this answer. */
  readonly summary: string | undefined;
  readonly reply: string;
  readonly tools: readonly ChatTool[];
  /** The flow nodes it visited. */
  readonly path: readonly string[];
  /** Tokens of each model request. */
  readonly tokens: readonly ModelTokens[];
}

/** Reads the answer while it is generated; aborting `signal` stops generation. */
export interface Listener {
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  readonly onTool: (tool: ChatTool) => void;
}
