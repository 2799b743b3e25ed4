import { messageOf } from "@parley/shared/errors.ts";
import { openSettings } from "../../agents/agents/settings.ts";
import { findAgent } from "../../agents/agents/store.ts";
import type { OpenedChannel } from "../channels/senders.ts";
import type { MessagingDeps } from "../deps.ts";
import { GraphError } from "../graph/graph-api.ts";
import { textFor } from "../outbound/queue-message.ts";
import { type MessageRow, updateMessage } from "../threads/message-store.ts";
import { speakMessage, VOICE_TYPE } from "./speak-message.ts";
import type { ToSpeak } from "./to-speak.ts";

export type SpeakingDeps = Pick<
  MessagingDeps,
  "database" | "clock" | "log" | "secrets" | "files" | "voices" | "countSpeech"
>;

/**
 * Speaks a message, uploads it and returns what WhatsApp is to send: the voice message, or the text if it could not be
 * spoken. Throws what a retry may cure; what was uploaded is not spoken again.
 */
export async function prepareSpoken(
  message: MessageRow,
  { speak: text, agentId }: ToSpeak,
  { opened, signal }: { readonly opened: OpenedChannel; readonly signal: AbortSignal },
  deps: SpeakingDeps,
): Promise<object> {
  if (message.media !== null) return voiceOf(message.media.id);
  const { upload } = opened.sender;
  try {
    const agent = await findAgent(deps.database, message.org_id, agentId);
    if (!agent || !upload) return await inWriting(message, text, deps);
    const { tts: choices, sound } = openSettings(agent, agent.id, deps.secrets);
    const { file, vendor } = await speakMessage(text, { choices, speed: sound.speed }, signal, deps);
    const { id: messageId, org_id: orgId, session_id: sessionId } = message;
    const quantity = [...text].length;
    const used = { source: `spoken ${messageId}`, metric: "tts_characters", vendor, quantity } as const;
    await deps.countSpeech({ ...used, orgId, sessionId, agentId, channel: opened.provider });
    const mediaId = await upload.call(opened.sender, { bytes: file, mimeType: VOICE_TYPE, signal });
    const key = `messages/${messageId}`;
    await deps.files.put(key, file);
    const kept = { id: mediaId, mimeType: VOICE_TYPE, filename: null, isVoice: true, key };
    const media = JSON.stringify({ ...kept, sizeBytes: file.length });
    await updateMessage(deps.database.db, messageId, { media });
    return voiceOf(mediaId);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GraphError && error.meaning.fate === "again") throw error;
    deps.log.warn(
      { event: "voice_answer_not_spoken", messageId: message.id, err: messageOf(error) },
      "failed to speak an answer, sending it as text",
    );
    return inWriting(message, text, deps);
  }
}

function voiceOf(id: string): object {
  return { type: "audio", audio: { id, voice: true } };
}

async function inWriting({ id }: MessageRow, text: string, { database }: SpeakingDeps): Promise<object> {
  await updateMessage(database.db, id, { type: "text" });
  return textFor("whatsapp", text).payload;
}
