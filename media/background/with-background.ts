import type { BackgroundSound } from "@parley/shared/contracts/call-plan.ts";
import { FRAME_SAMPLES, msToSamples } from "../pcm.ts";
import { BACKGROUND_FADE_MS, Background } from "./background.ts";
import { backgroundLoop } from "./sounds.ts";

/** How long the background is heard alone before and after the voice. */
const ALONE_MS = 2 * BACKGROUND_FADE_MS;

/** A voice as a caller hears it, over background sound that starts before the voice and ends after it. */
export async function withBackground(
  voice: Int16Array,
  { sound, volumeDb }: { sound: BackgroundSound; volumeDb: number },
): Promise<Int16Array> {
  if (sound === "none") return voice;
  const background = new Background(volumeDb);
  background.play(await backgroundLoop(sound));
  const heard = new Int16Array(voice.length + 2 * msToSamples(ALONE_MS));
  heard.set(voice, msToSamples(ALONE_MS));
  background.turn("on");
  for (let at = 0; at < heard.length; at += FRAME_SAMPLES) {
    if (heard.length - at <= msToSamples(BACKGROUND_FADE_MS)) background.turn("off");
    heard.set(background.under(heard.subarray(at, at + FRAME_SAMPLES)), at);
  }
  return heard;
}
