import { z } from "zod";
import { type PhoneDialect, type PhoneIds, parseText } from "./dialect.ts";

const FRAME_BYTES = 640;

const fromApp = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("notify"), payload: z.strictObject({ name: z.string() }) }),
  z.strictObject({ action: z.literal("clear") }),
]);

/** Vonage's websocket endpoint at 16 kHz; a clear drops queued audio and notifications. Sends no stop message. */
export function createVonageDialect({ callSid: uuid }: PhoneIds): PhoneDialect {
  return {
    format: { encoding: "pcm_s16le", sampleRate: 16000 },
    opening: () => [
      JSON.stringify({ event: "websocket:connected", "content-type": "audio/l16;rate=16000", uuid }),
    ],
    media: (bytes) => bytes,
    digit: (digit) => JSON.stringify({ event: "websocket:dtmf", digit, duration: 260 }),
    played: (name) => JSON.stringify({ event: "websocket:notify", payload: { name } }),
    cleared: () => [JSON.stringify({ event: "websocket:cleared" })],
    stop: () => undefined,
    read: (message) => {
      if (typeof message !== "string") {
        if (message.length !== FRAME_BYTES) throw new Error(`a binary message of ${message.length} bytes`);
        return { type: "audio", bytes: message };
      }
      const said = fromApp.parse(parseText(message));
      return said.action === "clear" ? { type: "clear" } : { type: "mark", name: said.payload.name };
    },
  };
}
