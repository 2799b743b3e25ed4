import { z } from "zod";
import { type PhoneDialect, type PhoneIds, parseText, toBase64 } from "./dialect.ts";

/** Plivo's `<Stream>`; numbers are numbers, timestamps strings. Sends no stop message. */
export function createPlivoDialect({ callSid: callId, streamId }: PhoneIds): PhoneDialect {
  let sequenceNumber = 0;
  let chunk = 0;
  const send = (message: object): string => {
    sequenceNumber += 1;
    return JSON.stringify({ sequenceNumber, streamId, extra_headers: "{}", ...message });
  };
  const fromApp = z.discriminatedUnion("event", [
    z.strictObject({
      event: z.literal("playAudio"),
      streamId: z.literal(streamId).optional(),
      media: z.strictObject({
        contentType: z.literal("audio/x-mulaw"),
        sampleRate: z.literal(8000),
        payload: z.base64().min(1),
      }),
    }),
    z.strictObject({ event: z.literal("checkpoint"), streamId: z.literal(streamId), name: z.string() }),
    z.strictObject({ event: z.literal("clearAudio"), streamId: z.literal(streamId) }),
  ]);
  return {
    format: { encoding: "mulaw", sampleRate: 8000 },
    opening: () => {
      const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000 };
      const start = { callId, streamId, accountId: "acc", tracks: ["inbound"], mediaFormat };
      return [send({ event: "start", start })];
    },
    media: (bytes) => {
      chunk += 1;
      const media = { track: "inbound", timestamp: String(Date.now()), chunk, payload: toBase64(bytes) };
      return send({ event: "media", media });
    },
    digit: (digit) =>
      send({ event: "dtmf", dtmf: { track: "inbound", digit, timestamp: String(Date.now()) } }),
    played: (name) => send({ event: "playedStream", name }),
    cleared: () => [send({ event: "clearedAudio" })],
    stop: () => undefined,
    read: (message) => {
      const said = fromApp.parse(parseText(message));
      if (said.event === "checkpoint") return { type: "mark", name: said.name };
      if (said.event === "clearAudio") return { type: "clear" };
      return { type: "audio", bytes: Buffer.from(said.media.payload, "base64") };
    },
  };
}
