import { SAMPLE_RATES } from "@parley/shared/contracts/call-socket.ts";
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

/**
 * Telnyx media streaming in `rtp` mode, with one codec for both directions. Order is not guaranteed. L16 is the RTP
 * payload, so the high byte comes first (RFC 3551, 4.5.11).
 */
const narrowband = wireNumber.pipe(z.literal(8000));
const mediaFormat = z.discriminatedUnion("encoding", [
  z.object({ encoding: z.literal("PCMU"), sample_rate: narrowband }),
  z.object({ encoding: z.literal("PCMA"), sample_rate: narrowband }),
  z.object({ encoding: z.literal("L16"), sample_rate: wireNumber.pipe(z.literal(SAMPLE_RATES)) }),
]);
const errorText = z.string().min(1).optional().catch(undefined);
const message = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("start"),
    stream_id: wireId,
    start: z.object({ call_control_id: wireId, media_format: mediaFormat }),
  }),
  z.object({ event: z.literal("media"), media: wireMedia.extend({ chunk: wireNumber.optional() }) }),
  z.object({ event: z.literal("dtmf"), dtmf: wireDigit }),
  z.object({ event: z.literal("mark"), mark: wireMark }),
  // Only passed on: whatever its content, this message is an error and not malformed.
  z.object({
    event: z.literal("error"),
    payload: z.object({ title: errorText, detail: errorText }).optional().catch(undefined),
  }),
  z.object({ event: z.literal("stop") }),
]);
const read = createReader(message, ["start", "media", "dtmf", "mark", "error", "stop"]);

const ENCODINGS = { PCMU: "mulaw", PCMA: "alaw", L16: "pcm_s16le" } as const;
const MAX_PROBLEM_CHARS = 100;

export const telnyxSerializer: MediaSerializer = {
  parse: (text) => {
    const result = read(text);
    return result.ok ? toEvent(result.message) : result.event;
  },
  stream: ({ isBigEndian }) => {
    const swap = (bytes: Uint8Array): Uint8Array =>
      Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
    return {
      ...(isBigEndian ? { read: swap } : {}),
      audio: (bytes) =>
        `{"event":"media","media":{"payload":"${toBase64(isBigEndian ? swap(bytes) : bytes)}"}}`,
      mark: (name) => JSON.stringify({ event: "mark", mark: { name } }),
      clear: () => JSON.stringify({ event: "clear" }),
    };
  },
};

function toEvent(said: z.infer<typeof message>): MediaEvent {
  switch (said.event) {
    case "start":
      return toStart(said.stream_id, said.start);
    case "media": {
      const { track, payload: bytes, chunk } = said.media;
      if (track === "outbound") return { type: "ignored" };
      return { type: "audio", bytes, ...(chunk === undefined ? {} : { chunk }) };
    }
    case "dtmf":
      return { type: "dtmf", digit: said.dtmf.digit };
    case "mark":
      return { type: "mark", name: said.mark.name };
    case "error":
      return { type: "error", problem: problemOf(said.payload) };
    case "stop":
      return { type: "stopped" };
  }
}

function problemOf(payload: { title?: string | undefined; detail?: string | undefined } | undefined): string {
  return (payload?.title ?? payload?.detail ?? "not said").slice(0, MAX_PROBLEM_CHARS);
}

type Start = Extract<z.infer<typeof message>, { event: "start" }>["start"];

function toStart(streamId: string, { call_control_id: callSid, media_format }: Start): MediaStart {
  const { encoding, sample_rate: sampleRate } = media_format;
  const format = { encoding: ENCODINGS[encoding], sampleRate };
  return { type: "started", callSid, streamId, format, isBigEndian: encoding === "L16" };
}
