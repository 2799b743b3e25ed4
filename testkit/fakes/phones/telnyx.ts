import { z } from "zod";
import { type PhoneDialect, type PhoneIds, parseText, toBase64 } from "./dialect.ts";

const FORMATS = {
  PCMU: { encoding: "mulaw", sampleRate: 8000 },
  L16: { encoding: "pcm_s16le", sampleRate: 16000 },
} as const;
const MIN_MEDIA_MS = 20;
const BYTES_PER_MS = { PCMU: 8, L16: 32 };

/** Telnyx media streaming, mode `rtp`: payloads as in RTP, so L16 is big-endian. */
export function createTelnyxDialect(
  { callSid, streamId }: PhoneIds,
  encoding: keyof typeof FORMATS = "PCMU",
): PhoneDialect {
  let sequence = 0;
  let chunk = 0;
  const { sampleRate } = FORMATS[encoding];
  const send = (message: object): string =>
    JSON.stringify({ sequence_number: String(++sequence), stream_id: streamId, ...message });
  const played = (name: string): string => send({ event: "mark", mark: { name } });
  const swapped = (bytes: Uint8Array): Buffer =>
    encoding === "L16" ? Buffer.from(bytes).swap16() : Buffer.from(bytes);
  return {
    format: FORMATS[encoding],
    opening: () => {
      const media_format = { encoding, sample_rate: sampleRate, channels: 1 };
      const start = { call_control_id: callSid, client_state: "", user_id: "usr", media_format };
      return [JSON.stringify({ event: "connected", version: "1.0.0" }), send({ event: "start", start })];
    },
    media: (bytes) => {
      chunk += 1;
      const timestamp = String(chunk * 20);
      const payload = toBase64(swapped(bytes));
      return send({ event: "media", media: { track: "inbound", chunk: String(chunk), timestamp, payload } });
    },
    digit: (digit) => send({ event: "dtmf", occurred_at: new Date().toISOString(), dtmf: { digit } }),
    played,
    cleared: (dropped) => dropped.map(played),
    stop: () => send({ event: "stop", stop: { call_control_id: callSid, user_id: "usr" } }),
    read: (message) => {
      const said = fromApp.parse(parseText(message));
      if (said.event === "mark") return { type: "mark", name: said.mark.name };
      if (said.event === "clear") return { type: "clear" };
      const bytes = Buffer.from(said.media.payload, "base64");
      if (bytes.length < MIN_MEDIA_MS * BYTES_PER_MS[encoding]) throw new Error("media of less than 20 ms");
      return { type: "audio", bytes: swapped(bytes) };
    },
  };
}

const fromApp = z.discriminatedUnion("event", [
  z.strictObject({ event: z.literal("media"), media: z.strictObject({ payload: z.base64().min(1) }) }),
  z.strictObject({ event: z.literal("mark"), mark: z.strictObject({ name: z.string() }) }),
  z.strictObject({ event: z.literal("clear") }),
]);
