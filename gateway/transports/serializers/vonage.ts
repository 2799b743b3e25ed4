import { z } from "zod";
import type { MediaEvent, MediaSerializer, MediaStart } from "./media-serializer.ts";
import { createReader, wireDigit, wireId, wireMark } from "./read-message.ts";

/**
 * Vonage's websocket endpoint. Audio is binary, exactly 20 ms of little-endian samples per message; everything else is
 * JSON. Vonage returns a `notify` in its turn, which serves as a mark. There is no stop message: the socket's close is
 * the end. The call's id is available if the NCCO puts it into the endpoint's `headers`, as `uuid`.
 */
const contentType = z
  .string()
  // A media type's case and the blanks around its parameters are insignificant (RFC 9110, 8.3.1).
  .transform((type) => type.toLowerCase().replace(/\s+/g, ""))
  .pipe(z.enum(["audio/l16;rate=8000", "audio/l16;rate=16000", "audio/l16;rate=24000"]));
const message = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("websocket:connected"),
    "content-type": contentType,
    uuid: wireId.optional(),
  }),
  // Accepts both forms: the message is documented flat, and was seen nested.
  z.object({
    event: z.literal("websocket:dtmf"),
    digit: wireDigit.shape.digit.optional(),
    dtmf: wireDigit.optional(),
  }),
  // Anyone may send notifications; ours have a name.
  z.object({ event: z.literal("websocket:notify"), payload: wireMark.optional().catch(undefined) }),
  z.object({ event: z.literal("websocket:cleared") }),
]);
const read = createReader(message, [
  "websocket:connected",
  "websocket:dtmf",
  "websocket:notify",
  "websocket:cleared",
]);

const RATES = {
  "audio/l16;rate=8000": 8000,
  "audio/l16;rate=16000": 16000,
  "audio/l16;rate=24000": 24000,
} as const;

export const vonageSerializer: MediaSerializer = {
  parse: (said) => {
    if (typeof said !== "string") return { type: "audio", bytes: said };
    const result = read(said);
    return result.ok ? toEvent(result.message) : result.event;
  },
  stream: () => ({
    audio: (bytes) => bytes,
    mark: (name) => JSON.stringify({ action: "notify", payload: { name } }),
    clear: () => JSON.stringify({ action: "clear" }),
  }),
};

function toEvent(said: z.infer<typeof message>): MediaEvent {
  switch (said.event) {
    case "websocket:connected":
      return toStart(said["content-type"], said.uuid);
    case "websocket:dtmf":
      return toKey(said.digit ?? said.dtmf?.digit);
    case "websocket:notify":
      return said.payload === undefined ? { type: "ignored" } : { type: "mark", name: said.payload.name };
    case "websocket:cleared":
      return { type: "cleared" };
  }
}

function toKey(digit: z.infer<typeof wireDigit>["digit"] | undefined): MediaEvent {
  return digit === undefined
    ? { type: "malformed", problem: "websocket:dtmf: digit: Required" }
    : { type: "dtmf", digit };
}

function toStart(contentType: keyof typeof RATES, callSid: string | undefined): MediaStart {
  const format = { encoding: "pcm_s16le", sampleRate: RATES[contentType] } as const;
  return { type: "started", callSid, streamId: "", format };
}
