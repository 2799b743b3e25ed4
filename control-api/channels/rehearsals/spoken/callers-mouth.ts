import { SpeechError } from "@parley/media/speech-error.ts";
import type { CallerVoice } from "@parley/shared/contracts/spoken-rehearsals.ts";
import type { PhoneVoice } from "../../carriers/loopback/phone-voice.ts";

/** A busy machine may take longer to start the voice than the voice waits. */
const TRIES = 4;

/** Gives words the sound of a caller. */
export type CallersMouth = (text: string) => Promise<Int16Array>;

/** A mouth that has spoken before: whoever waits in a call does not wait for the voice to start. */
export async function openMouth(
  voices: Pick<PhoneVoice, "say">,
  voice: CallerVoice,
  signal: AbortSignal,
): Promise<CallersMouth> {
  const say: CallersMouth = async (text) => {
    for (let tries = 1; ; tries++) {
      try {
        return await voices.say(text, signal, voice);
      } catch (error) {
        if (!(error instanceof SpeechError) || tries === TRIES || signal.aborted) throw error;
      }
    }
  };
  await say("Hello.");
  return say;
}
