import { messageOf } from "@parley/shared/errors.ts";
import { openSettings } from "../../agents/agents/settings.ts";
import { findAgent, type StoredAgent } from "../../agents/agents/store.ts";
import { findChannel } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import type { MessageRow } from "../threads/message-store.ts";
import { findThread } from "../threads/thread-store.ts";
import { readSpeech } from "./read-speech.ts";
import { transcribe } from "./transcribe.ts";

const NOT_UNDERSTOOD = "[The contact sent a voice message that could not be understood]";
const NO_WORDS = "[The contact sent a voice message without words]";

/** A voice message as text. */
export interface Heard {
  /** Null if it was not understood, or nothing was said. */
  readonly text: string | null;
  /** What the agent is told. */
  readonly words: string;
}

type Deps = Pick<MessagingDeps, "database" | "clock" | "log" | "secrets" | "recognizers" | "countSpeech">;

/**
 * Transcribes a voice message with the recognizer of the agent that is to answer it; undefined if none is. Never fails:
 * an agent that is told so can ask the contact to write.
 */
export async function hearVoice(
  message: MessageRow,
  bytes: Uint8Array,
  signal: AbortSignal,
  deps: Deps,
): Promise<Heard | undefined> {
  if (message.media?.isVoice !== true || message.answered) return undefined;
  const agent = await answeringAgent(message, deps);
  if (!agent) return undefined;
  try {
    const { speech, durationMs } = await readSpeech(bytes, message.media.mimeType);
    const { stt } = openSettings(agent, agent.id, deps.secrets);
    const { text, vendor } = await transcribe(speech, stt, signal, deps);
    await count(message, { agentId: agent.id, vendor, durationMs }, deps);
    return text === "" ? { text: null, words: NO_WORDS } : { text, words: text };
  } catch (error) {
    signal.throwIfAborted();
    deps.log.warn(
      { event: "voice_message_not_understood", messageId: message.id, err: messageOf(error) },
      "failed to transcribe a voice message",
    );
    return { text: null, words: NOT_UNDERSTOOD };
  }
}

async function count(
  { id, org_id: orgId, channel_id: channelId, thread_id: threadId }: MessageRow,
  {
    agentId,
    vendor,
    durationMs,
  }: { readonly agentId: string; readonly vendor: string; readonly durationMs: number },
  { database, countSpeech }: Deps,
): Promise<void> {
  const thread = await findThread(database.db, threadId);
  const { provider: channel } = await findChannel(database.db, orgId, channelId);
  const quantity = Math.ceil(durationMs / 1_000);
  const line = { source: `heard ${id}`, metric: "stt_seconds", vendor, quantity } as const;
  await countSpeech({ ...line, orgId, agentId, channel, sessionId: thread?.session_id ?? null });
}

async function answeringAgent(
  { org_id: orgId, channel_id: channelId }: MessageRow,
  { database }: Deps,
): Promise<StoredAgent | undefined> {
  const { agent_id: agentId } = await findChannel(database.db, orgId, channelId);
  return agentId === null ? undefined : findAgent(database, orgId, agentId);
}
