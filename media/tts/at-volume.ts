import { amplify, gainOf } from "../level/loudness.ts";
import type { TtsReply } from "./port.ts";

/** Makes any voice louder or softer by `volumeDb` decibels. */
export function atVolume(reply: TtsReply, volumeDb: number): TtsReply {
  if (volumeDb === 0) return reply;
  const gain = gainOf(volumeDb);
  return {
    say: async function* say(text, times) {
      for await (const samples of reply.say(text, times)) yield amplify(samples, gain);
    },
    close: () => reply.close(),
  };
}
