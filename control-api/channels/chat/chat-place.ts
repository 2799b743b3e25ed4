import type { FlowState } from "@parley/shared/flows/state.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Versions } from "../../agents/agents/plan-version.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import type { StoredChat } from "./store.ts";

/** Where a chat stands between two messages, whose agent follows a flow or has handed it on. */
export interface ChatPlace {
  /** Who talks: the chat's agent, or one that it was handed to. */
  readonly agentId: string;
  /** The versions that the chat goes on with, whatever the agents become. */
  readonly versions: Versions;
  /** Undefined where that agent's brain is no flow. */
  readonly state: FlowState | undefined;
  /** What that agent was handed. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Undefined where there is none, or its key is gone from SECRETS_KEY: the agent begins again then. */
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

/** The column of a chat's row for it. Sealed: its variables are what people said. */
export function placeColumn(
  sessionId: string,
  place: ChatPlace | undefined,
  secrets: SecretBox,
): { flow: string | null } {
  if (!place) return { flow: null };
  return { flow: secrets.seal(JSON.stringify(place), SEAL_CONTEXT.chatFlow(sessionId)) };
}
