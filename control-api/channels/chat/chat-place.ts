import type { FlowState } from "@parley/shared/flows/state.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Versions } from "../../agents/agents/plan-version.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import type { StoredChat } from "./store.ts";

/** Position of a chat between messages, when its agent follows a flow or has handed it on. */
export interface ChatPlace {
  /** Who talks: the chat's agent, or one it was handed to. */
  readonly agentId: string;
  /** Versions pinned for this chat, however the agents change. */
  readonly versions: Versions;
  /** Undefined where that agent's brain is not a flow. */
  readonly state: FlowState | undefined;
  /** Variables handed to that agent. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Returns undefined without a place, or if its key is gone from SECRETS_KEY: the agent then starts over. */
export function openPlace(
  { sessionId, flow }: Pick<StoredChat, "sessionId" | "flow">,
  secrets: SecretBox,
): ChatPlace | undefined {
  if (flow === null) return undefined;
  try {
    return JSON.parse(secrets.open(flow, SEAL_CONTEXT.chatFlow(sessionId))) as ChatPlace;
  } catch {
    return undefined;
  }
}

/** Column value of a chat's place. Sealed, because its variables are what people said. */
export function placeColumn(
  sessionId: string,
  place: ChatPlace | undefined,
  secrets: SecretBox,
): { flow: string | null } {
  if (!place) return { flow: null };
  return { flow: secrets.seal(JSON.stringify(place), SEAL_CONTEXT.chatFlow(sessionId)) };
}
