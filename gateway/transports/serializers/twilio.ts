import { z } from "zod";
import type { MediaEvent, MediaSerializer } from "./media-serializer.ts";
import {
  createReader,
  toBase64,
  wireDigit,
  wireId,
  wireMark,
  wireMedia,
  wireNumber,
} from "./read-message.ts";

/** Twilio Media Streams, bidirectional (`<Connect><Stream>`): JSON with µ-law at 8 kHz. */
const message = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("start"),
    streamSid: wireId,
    start: z.object({
      callSid: wireId,
      mediaFormat: z.object({
        encoding: z.literal("audio/x-mulaw"),
        sampleRate: wireNumber.pipe(z.literal(8000)),
      }),
    }),
  }),
  z.object({ event: z.literal("media"), media: wireMedia }),
  z.object({ event: z.literal("dtmf"), dtmf: wireDigit }),
  z.object({ event: z.literal("mark"), mark: wireMark }),
  z.object({ event: z.literal("stop") }),
]);
const read = createReader(message, ["start", "media", "dtmf", "mark", "stop"]);

export const twilioSerializer: MediaSerializer = {
  parse: (text) => {
    const result = read(text);
    return result.ok ? toEvent(result.message) : result.event;
  },
  stream: ({ streamId }) => {
    const streamSid = JSON.stringify(streamId);
    return {
      audio: (bytes) => `{"event":"media","streamSid":${streamSid},"media":{"payload":"${toBase64(bytes)}"}}`,
      mark: (name) => JSON.stringify({ event: "mark", streamSid: streamId, mark: { name } }),
      clear: () => JSON.stringify({ event: "clear", streamSid: streamId }),
    };
  },
};

function toEvent(said: z.infer<typeof message>): MediaEvent {
  switch (said.event) {
    case "start":
      return {
        type: "started",
        callSid: said.start.callSid,
        streamId: said.streamSid,
        format: { encoding: "mulaw", sampleRate: 8000 },
      };
    case "media":
      if (said.media.track === "outbound") return { type: "ignored" };
      return { type: "audio", bytes: said.media.payload };
    case "dtmf":
      return { type: "dtmf", digit: said.dtmf.digit };
    case "mark":
      return { type: "mark", name: said.mark.name };
    case "stop":
      return { type: "stopped" };
  }
}
