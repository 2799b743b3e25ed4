import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MEDIA_SERIALIZERS } from "./by-carrier.ts";
import type { MediaEvent, MediaSerializer, MediaStart } from "./media-serializer.ts";
import { plivoSerializer } from "./plivo.ts";
import { telnyxSerializer } from "./telnyx.ts";
import { twilioSerializer } from "./twilio.ts";
import { vonageSerializer } from "./vonage.ts";

const AUDIO = Buffer.from([0x01, 0x02, 0x03, 0x04]);
const BASE64 = AUDIO.toString("base64");

/** As each carrier documents it, and what it means. */
const DOCUMENTED: readonly (readonly [string, MediaSerializer, object, object])[] = [
  [
    "Twilio",
    twilioSerializer,
    { event: "connected", protocol: "Call", version: "1.0.0" },
    { type: "ignored" },
  ],
  [
    "Twilio",
    twilioSerializer,
    {
      event: "start",
      sequenceNumber: "1",
      streamSid: "MZ1",
      start: {
        streamSid: "MZ1",
        accountSid: "AC1",
        callSid: "CA1",
        tracks: ["inbound"],
        customParameters: {},
        mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
      },
    },
    { type: "started", callSid: "CA1", streamId: "MZ1", format: { encoding: "mulaw", sampleRate: 8000 } },
  ],
  [
    "Twilio",
    twilioSerializer,
    {
      event: "media",
      sequenceNumber: "3",
      streamSid: "MZ1",
      media: { track: "inbound", chunk: "1", timestamp: "5", payload: BASE64 },
    },
    { type: "audio", bytes: AUDIO },
  ],
  [
    "Twilio",
    twilioSerializer,
    { event: "media", media: { track: "outbound", payload: BASE64 } },
    { type: "ignored" },
  ],
  [
    "Twilio",
    twilioSerializer,
    { event: "dtmf", dtmf: { track: "inbound_track", digit: "#" } },
    { type: "dtmf", digit: "#" },
  ],
  ["Twilio", twilioSerializer, { event: "mark", mark: { name: "t1-1" } }, { type: "mark", name: "t1-1" }],
  ["Twilio", twilioSerializer, { event: "stop", stop: { callSid: "CA1" } }, { type: "stopped" }],
  [
    "Telnyx",
    telnyxSerializer,
    {
      event: "start",
      sequence_number: "1",
      stream_id: "s",
      start: { call_control_id: "v3:x", media_format: { encoding: "L16", sample_rate: 16000, channels: 1 } },
    },
    { type: "started", callSid: "v3:x", format: { encoding: "pcm_s16le", sampleRate: 16000 } },
  ],
  [
    "Telnyx",
    telnyxSerializer,
    {
      event: "start",
      stream_id: "s",
      start: { call_control_id: "v3:x", media_format: { encoding: "PCMA", sample_rate: 8000 } },
    },
    { type: "started", format: { encoding: "alaw", sampleRate: 8000 }, isBigEndian: false },
  ],
  [
    "Telnyx",
    telnyxSerializer,
    { event: "media", media: { track: "inbound", chunk: "12", timestamp: "5", payload: BASE64 } },
    { type: "audio", chunk: 12 },
  ],
  [
    "Telnyx",
    telnyxSerializer,
    { event: "error", payload: { code: 100002, title: "malformed_frame", detail: "bad" } },
    { type: "error", problem: "malformed_frame" },
  ],
  ["Telnyx", telnyxSerializer, { event: "dtmf", dtmf: { digit: "1" } }, { type: "dtmf", digit: "1" }],
  [
    "Plivo",
    plivoSerializer,
    {
      sequenceNumber: 0,
      event: "start",
      start: {
        callId: "c",
        streamId: "s",
        accountId: "a",
        tracks: ["inbound"],
        mediaFormat: { encoding: "audio/x-l16", sampleRate: 16000 },
      },
      extra_headers: "{}",
    },
    {
      type: "started",
      callSid: "c",
      streamId: "s",
      format: { encoding: "pcm_s16le", sampleRate: 16000 },
    },
  ],
  [
    "Plivo",
    plivoSerializer,
    { event: "media", streamId: "s", media: { track: "inbound", timestamp: "1", chunk: 2, payload: BASE64 } },
    { type: "audio", bytes: AUDIO },
  ],
  [
    "Plivo",
    plivoSerializer,
    { event: "playedStream", streamId: "s", name: "m" },
    { type: "mark", name: "m" },
  ],
  ["Plivo", plivoSerializer, { event: "clearedAudio", streamId: "s" }, { type: "cleared" }],
  [
    "Vonage",
    vonageSerializer,
    { event: "websocket:connected", "content-type": "audio/l16;rate=8000" },
    { type: "started", callSid: undefined, format: { encoding: "pcm_s16le", sampleRate: 8000 } },
  ],
  [
    "Vonage",
    vonageSerializer,
    { event: "websocket:dtmf", digit: "5", duration: 260 },
    { type: "dtmf", digit: "5" },
  ],
  [
    "Vonage",
    vonageSerializer,
    { event: "websocket:notify", payload: { name: "m" } },
    { type: "mark", name: "m" },
  ],
  ["Vonage", vonageSerializer, { event: "websocket:cleared" }, { type: "cleared" }],
];

/** Not as documented, but sent all the same, and what it means. */
const SEEN: readonly (readonly [string, MediaSerializer, object, object])[] = [
  [
    "a blank in Vonage's media type",
    vonageSerializer,
    { event: "websocket:connected", "content-type": "audio/l16; rate=16000" },
    { type: "started", format: { encoding: "pcm_s16le", sampleRate: 16_000 } },
  ],
  [
    "Vonage's media type in capitals",
    vonageSerializer,
    { event: "websocket:connected", "content-type": "audio/L16;rate=24000" },
    { type: "started", format: { encoding: "pcm_s16le", sampleRate: 24_000 } },
  ],
  [
    "a key that Vonage nests",
    vonageSerializer,
    { event: "websocket:dtmf", dtmf: { digit: "a", duration: 260 } },
    { type: "dtmf", digit: "A" },
  ],
  [
    "Vonage's notification without a name",
    vonageSerializer,
    { event: "websocket:notify", payload: {} },
    { type: "ignored" },
  ],
  [
    "Vonage's notification without a payload",
    vonageSerializer,
    { event: "websocket:notify" },
    { type: "ignored" },
  ],
  [
    "Telnyx' error without a title",
    telnyxSerializer,
    { event: "error", payload: { code: 100002, detail: "what is wrong" } },
    { type: "error", problem: "what is wrong" },
  ],
  [
    "Telnyx' error with nothing",
    telnyxSerializer,
    { event: "error", payload: { title: null } },
    { type: "error", problem: "not said" },
  ],
  [
    "Telnyx' error in words",
    telnyxSerializer,
    { event: "error", payload: "broken" },
    { type: "error", problem: "not said" },
  ],
];

const START: MediaStart = {
  type: "started",
  callSid: "CA1",
  streamId: 'M"Z',
  format: { encoding: "mulaw", sampleRate: 8000 },
};

describe("what a carrier says", () => {
  it.each(SEEN)("is understood with %s", (_what, wire, message, expected) => {
    expect(wire.parse(JSON.stringify(message))).toMatchObject(expected);
  });

  it.each(DOCUMENTED)("%s is understood as documented", (_carrier, wire, message, expected) => {
    expect(wire.parse(JSON.stringify(message))).toMatchObject(expected);
  });

  it.each([
    ["Twilio", twilioSerializer, { event: "dtmf", dtmf: { digit: "a" } }],
    ["Telnyx", telnyxSerializer, { event: "dtmf", dtmf: { digit: "a" } }],
    ["Plivo", plivoSerializer, { event: "dtmf", dtmf: { digit: "a" } }],
    ["Vonage", vonageSerializer, { event: "websocket:dtmf", digit: "a" }],
  ] as const)("is a key in capitals when %s writes it small", (_carrier, wire, message) => {
    expect(wire.parse(JSON.stringify(message))).toEqual({ type: "dtmf", digit: "A" });
  });

  it.each([
    [
      "another codec",
      telnyxSerializer,
      {
        event: "start",
        stream_id: "s",
        start: { call_control_id: "c", media_format: { encoding: "OPUS", sample_rate: 8000 } },
      },
    ],
    ["a start without a call", twilioSerializer, { event: "start", streamSid: "MZ1", start: {} }],
    ["media without audio", plivoSerializer, { event: "media", media: { payload: 7 } }],
    ["a key no telephone has", vonageSerializer, { event: "websocket:dtmf", digit: "E" }],
    ["no key", vonageSerializer, { event: "websocket:dtmf", duration: 260 }],
    [
      "a rate that nobody can play",
      vonageSerializer,
      { event: "websocket:connected", "content-type": "audio/l16; rate=44100" },
    ],
    ["no event", twilioSerializer, {}],
    ["no object", twilioSerializer, []],
  ] as const)("is malformed when it is %s, and the problem is named", (_what, wire, message) => {
    const event = wire.parse(JSON.stringify(message));
    expect(event).toMatchObject({ type: "malformed", problem: expect.stringMatching(/./) });
  });

  it("is malformed when it is binary, but for Vonage's audio", () => {
    const types = [...MEDIA_SERIALIZERS].map(([name, wire]) => [name, wire.parse(AUDIO).type]);
    expect(Object.fromEntries(types)).toEqual({
      twilio: "malformed",
      telnyx: "malformed",
      plivo: "malformed",
      vonage: "audio",
    });
  });

  it("never makes a parser throw, nor grow, whatever it is", () => {
    const events = DOCUMENTED.map(([, , message]) => message);
    const mangled = fc
      .tuple(fc.constantFrom(...events), fc.string(), fc.anything())
      .map(([message, key, value]) => JSON.stringify({ ...message, [key]: value }));
    const wrongParts = fc
      .tuple(fc.constantFrom(...events), fc.anything())
      .map(([message, value]) => JSON.stringify(replaceLeaves(message, value)));
    const text = fc.oneof(fc.string(), fc.json(), mangled, wrongParts);
    fc.assert(
      fc.property(
        fc.constantFrom(...MEDIA_SERIALIZERS.values()),
        fc.oneof(text, fc.uint8Array()),
        (wire, said) => {
          const event = wire.parse(said ?? "");
          expect(sizeOf(event)).toBeLessThanOrEqual(1_000 + (said?.length ?? 0));
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe("what a carrier is told", () => {
  it.each([
    [
      "Twilio",
      twilioSerializer,
      [
        { event: "media", streamSid: 'M"Z', media: { payload: BASE64 } },
        { event: "mark", streamSid: 'M"Z', mark: { name: "m" } },
        { event: "clear", streamSid: 'M"Z' },
      ],
    ],
    [
      "Telnyx",
      telnyxSerializer,
      [
        { event: "media", media: { payload: BASE64 } },
        { event: "mark", mark: { name: "m" } },
        { event: "clear" },
      ],
    ],
    [
      "Plivo",
      plivoSerializer,
      [
        {
          event: "playAudio",
          streamId: 'M"Z',
          media: { contentType: "audio/x-mulaw", sampleRate: 8000, payload: BASE64 },
        },
        { event: "checkpoint", streamId: 'M"Z', name: "m" },
        { event: "clearAudio", streamId: 'M"Z' },
      ],
    ],
  ] as const)("%s reads as documented", (_carrier, wire, expected) => {
    const stream = wire.stream(START);
    const said = [stream.audio(AUDIO), stream.mark("m"), stream.clear()];
    expect(said.map((message) => JSON.parse(String(message)))).toEqual(expected);
  });

  it("Vonage reads as documented: audio as it is", () => {
    const stream = vonageSerializer.stream(START);
    expect(stream.audio(AUDIO)).toBe(AUDIO);
    expect(JSON.parse(stream.mark("m"))).toEqual({ action: "notify", payload: { name: "m" } });
    expect(JSON.parse(stream.clear())).toEqual({ action: "clear" });
  });

  it("Telnyx gets, and gives, L16 with the high byte first", () => {
    const stream = telnyxSerializer.stream({ ...START, isBigEndian: true });
    const { media } = JSON.parse(String(stream.audio(AUDIO))) as { media: { payload: string } };
    expect([...Buffer.from(media.payload, "base64")]).toEqual([2, 1, 4, 3]);
    expect([...AUDIO]).toEqual([1, 2, 3, 4]);
    expect([...(stream.read?.(AUDIO) ?? [])]).toEqual([2, 1, 4, 3]);
  });
});

function replaceLeaves(message: object, value: unknown): object {
  const entries = Object.entries(message).map(([key, leaf]) => {
    if (key === "event") return [key, leaf];
    return [key, typeof leaf === "object" && leaf !== null ? replaceLeaves(leaf, value) : value];
  });
  return Object.fromEntries(entries);
}

function sizeOf(event: MediaEvent): number {
  return event.type === "audio" ? event.bytes.length : JSON.stringify(event).length;
}
