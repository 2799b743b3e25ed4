import { BACKGROUND_FADE_MS, Background } from "@parley/media/background/background.ts";
import { backgroundLoop } from "@parley/media/background/sounds.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import type { CallerNoise } from "@parley/shared/contracts/spoken-rehearsals.ts";

type Frame = Int16Array<ArrayBuffer>;

/** What the caller's microphone makes of a frame of 20 ms: their words, and what is heard around them. */
export async function pickUpWith(noise: CallerNoise | undefined): Promise<(frame: Frame) => Frame> {
  if (noise === undefined) return (frame) => frame;
  const background = new Background(noise.volumeDb);
  background.play(await backgroundLoop(noise.sound));
  background.turn("on");
  // The room was there before the call: what rises out of silence sounds like a voice to who listens.
  for (let ms = 0; ms <= BACKGROUND_FADE_MS; ms += FRAME_MS) background.under(new Int16Array(FRAME_SAMPLES));
  return (frame) => Int16Array.from(background.under(frame));
}
