import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import type { ChatTool } from "@parley/shared/contracts/chat.ts";
import type { ChatPlace } from "./chat-place.ts";

/** What the brain made of one message. */
export interface Answer {
  readonly reply: string;
  readonly tools: readonly ChatTool[];
  /** The brain ended the chat. */
  readonly isEnded: boolean;
  /** Whoever listened went away before it was complete. */
  readonly isInterrupted: boolean;
  readonly tookMs: number;
  /** What of it each agent said and did, in its order; the first one is who had the chat before. */
  readonly parts: readonly AnswerPart[];
  /** Of who has the chat now. */
  readonly brain: BrainPlan;
  /** Where the chat stands now; undefined where the agent's brain knows by itself. */
  readonly place: ChatPlace | undefined;
}

/** What one agent said and did in an answer. */
export interface AnswerPart {
  readonly agentId: string;
  readonly agentVersion: number;
  /** What it was told when the chat was handed to it in this answer. */
  readonly summary: string | undefined;
  readonly reply: string;
  readonly tools: readonly ChatTool[];
  /** The nodes that its flow came to. */
  readonly path: readonly string[];
  /** What each request to its model used. */
  readonly tokens: readonly ModelTokens[];
}

/** Who reads the answer as it is generated; aborting `signal` ends it. */
export interface Listener {
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  readonly onTool: (tool: ChatTool) => void;
}
