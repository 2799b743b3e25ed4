import { isSpeakable } from "@parley/media/tts/text.ts";
import { openSettings } from "../../agents/agents/settings.ts";
import type { StoredAgent } from "../../agents/agents/store.ts";
import type { Provider } from "../channels/provider.ts";
import type { MessagingDeps } from "../deps.ts";
import type { Outgoing } from "../outbound/queue-message.ts";
import type { ToSpeak } from "./to-speak.ts";

/** About two minutes of speech; people skim what is longer. */
const MAX_CHARS = 1_500;
const LINK = /\bhttps?:\/\/|\bwww\./i;

/** Whether an agent that was spoken to answers with a voice message: its settings say so, and the answer can be said. */
export function answersInVoice(
  reply: string,
  agent: StoredAgent,
  provider: Provider,
  { secrets }: Pick<MessagingDeps, "secrets">,
): boolean {
  if (provider !== "whatsapp") return false;
  // Nobody can follow a link that is read out.
  if (reply.length > MAX_CHARS || LINK.test(reply) || !isSpeakable(reply)) return false;
  return openSettings(agent, agent.id, secrets).messaging.answerVoiceWithVoice;
}

/** An answer as a voice message; its text is shown beside it. */
export function spokenAnswer(reply: string, agentId: string): Outgoing {
  const payload: ToSpeak = { speak: reply, agentId };
  return { type: "audio", body: reply, payload };
}
