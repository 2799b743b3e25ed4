import { z } from "zod";
import { type PhoneDialect, type PhoneIds, parseText, toBase64 } from "./dialect.ts";

/** Twilio Media Streams; numbers are strings, and marks dropped by a clear are still returned. */
export function createTwilioDialect({ callSid, streamId: streamSid }: PhoneIds): PhoneDialect {
  let sequence = 0;
  let chunk = 0;
  const accountSid = "AC00000000000000000000000000000000";
  const send = (message: object): string =>
    JSON.stringify({ sequenceNumber: String(++sequence), streamSid, ...message });
  const played = (name: string): string => send({ event: "mark", mark: { name } });
  const fromApp = z.discriminatedUnion("event", [
    z.strictObject({
      event: z.literal("media"),
      streamSid: z.literal(streamSid),
      media: z.strictObject({ payload: z.base64().min(1) }),
    }),
    z.strictObject({
      event: z.literal("mark"),
      streamSid: z.literal(streamSid),
      mark: z.strictObject({ name: z.string() }),
    }),
    z.strictObject({ event: z.literal("clear"), streamSid: z.literal(streamSid) }),
  ]);
  return {
    format: { encoding: "mulaw", sampleRate: 8000 },
    opening: () => {
      const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 };
      const start = {
        accountSid,
        streamSid,
        callSid,
        tracks: ["inbound"],
        mediaFormat,
        customParameters: {},
      };
      return [
        JSON.stringify({ event: "connected", protocol: "Call", version: "1.0.0" }),
        send({ event: "start", start }),
      ];
    },
    media: (bytes) => {
      chunk += 1;
      const timestamp = String(chunk * 20);
      const media = { track: "inbound", chunk: String(chunk), timestamp, payload: toBase64(bytes) };
      return send({ event: "media", media });
    },
    digit: (digit) => send({ event: "dtmf", dtmf: { track: "inbound_track", digit } }),
    played,
    cleared: (dropped) => dropped.map(played),
    stop: () => send({ event: "stop", stop: { accountSid, callSid } }),
    read: (message) => {
      const said = fromApp.parse(parseText(message));
      if (said.event === "media") return { type: "audio", bytes: Buffer.from(said.media.payload, "base64") };
      if (said.event === "mark") return { type: "mark", name: said.mark.name };
      return { type: "clear" };
    },
  };
}
