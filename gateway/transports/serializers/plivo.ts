import { z } from "zod";
import type { MediaEvent, MediaSerializer, MediaStart } from "./media-serializer.ts";
import {
  createReader,
  toBase64,
  wireDigit,
  wireId,
  wireMark,
  wireMedia,
  wireNumber,
} from "./read-message.ts";

/** Plivo's bidirectional `<Stream>`. It has no stop message: the socket's close is the end. */
const mediaFormat = z.discriminatedUnion("encoding", [
  z.object({ encoding: z.literal("audio/x-mulaw"), sampleRate: wireNumber.pipe(z.literal(8000)) }),
  z.object({ encoding: z.literal("audio/x-l16"), sampleRate: wireNumber.pipe(z.literal([8000, 16000])) }),
]);
const message = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("start"),
    start: z.object({ callId: wireId, streamId: wireId, mediaFormat }),
  }),
  z.object({ event: z.literal("media"), media: wireMedia }),
  z.object({ event: z.literal("dtmf"), dtmf: wireDigit }),
  wireMark.extend({ event: z.literal("playedStream") }),
  z.object({ event: z.literal("clearedAudio") }),
]);
const read = createReader(message, ["start", "media", "dtmf", "playedStream", "clearedAudio"]);

const ENCODINGS = { "audio/x-mulaw": "mulaw", "audio/x-l16": "pcm_s16le" } as const;

export const plivoSerializer: MediaSerializer = {
  parse: (text) => {
    const result = read(text);
    return result.ok ? toEvent(result.message) : result.event;
  },
  stream: ({ streamId, format }) => {
    const contentType = format.encoding === "mulaw" ? "audio/x-mulaw" : "audio/x-l16";
    const id = JSON.stringify(streamId);
    const media = `"contentType":"${contentType}","sampleRate":${format.sampleRate}`;
    return {
      audio: (bytes) =>
        `{"event":"playAudio","streamId":${id},"media":{${media},"payload":"${toBase64(bytes)}"}}`,
      mark: (name) => JSON.stringify({ event: "checkpoint", streamId, name }),
      clear: () => JSON.stringify({ event: "clearAudio", streamId }),
    };
  },
};

function toEvent(said: z.infer<typeof message>): MediaEvent {
  switch (said.event) {
    case "start":
      return toStart(said.start);
    case "media":
      if (said.media.track === "outbound") return { type: "ignored" };
      return { type: "audio", bytes: said.media.payload };
    case "dtmf":
      return { type: "dtmf", digit: said.dtmf.digit };
    case "playedStream":
      return { type: "mark", name: said.name };
    case "clearedAudio":
      return { type: "cleared" };
  }
}

type Start = Extract<z.infer<typeof message>, { event: "start" }>["start"];

function toStart({ callId: callSid, streamId, mediaFormat: { encoding, sampleRate } }: Start): MediaStart {
  return { type: "started", callSid, streamId, format: { encoding: ENCODINGS[encoding], sampleRate } };
}
