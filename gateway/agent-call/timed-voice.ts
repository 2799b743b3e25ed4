import type { TtsVendor } from "@parley/media/tts/port.ts";

/** Wraps a voice to report the time to the first audio of each clause. */
export function timedVoice(
  vendor: TtsVendor,
  now: () => number,
  onFirstAudio: (afterMs: number) => void,
): TtsVendor {
  return {
    ...vendor,
    openReply: (options) => {
      const reply = vendor.openReply(options);
      return {
        say: async function* say(text, times) {
          const askedMs = now();
          let isFirst = true;
          for await (const samples of reply.say(text, times)) {
            if (isFirst) onFirstAudio(now() - askedMs);
            isFirst = false;
            yield samples;
          }
        },
        close: () => reply.close(),
      };
    },
  };
}
