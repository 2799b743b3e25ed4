import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CONTENT_EVENTS, callEventSchema, maskCallEvent } from "../call-events.ts";
import { maskFrameData, streamFrameSchema } from "../stream-frames.ts";
import { contentFields } from "./fields.ts";
import { carried, plain, spoken } from "./marks.ts";
import { maskerOf } from "./mask.ts";

const SHOUT = {
  text: (text: string) => text.toUpperCase(),
  json: (value: unknown) => JSON.parse(JSON.stringify(value).toUpperCase()) as unknown,
};

describe("a message that leaves a call", () => {
  const messages: (readonly [string, z.ZodType])[] = [
    ...callEventSchema.options.map((schema) => [schema.shape.type.value, schema] as const),
    ...streamFrameSchema.options.map((schema) => [`frame ${schema.shape.topic.value}`, schema] as const),
  ];
  it.each(messages)("says of each field that can hold words what it is: %s", (_name, schema) => {
    const unmarked = contentFields(schema).filter(({ mark }) => mark === undefined);
    expect(unmarked.map(({ path }) => `${path.join(".")}: mark it spoken, carried or plain`)).toEqual([]);
  });

  it.each([
    ["a string", z.object({ said: z.string() })],
    ["an optional one", z.object({ said: z.string().optional() })],
    ["one with a default that may be null", z.object({ said: z.string().nullable().default(null) })],
    ["one in a list of objects", z.object({ list: z.array(z.object({ said: z.string() })) })],
    ["a value of any shape", z.object({ said: z.unknown() })],
    ["a record", z.object({ said: z.record(z.string(), z.string()) })],
    ["a choice of shapes", z.object({ said: z.union([z.string(), z.number()]) })],
    ["what is made of another value", z.object({ said: z.string().transform((text) => text.trim()) })],
  ])("is refused while nobody has said what %s is", (_what, schema) => {
    expect(contentFields(schema)).toMatchObject([{ mark: undefined }]);
  });

  it("asks nothing of figures, moments and fixed words", () => {
    const schema = z.object({
      type: z.literal("call.x"),
      at: z.iso.datetime(),
      count: z.int().optional(),
      clamped: z.codec(z.number(), z.int(), { decode: Math.round, encode: (value) => value }),
      isOn: z.boolean(),
      reason: z.enum(["one", "two"]).catch("one"),
    });
    expect(contentFields(schema)).toEqual([]);
  });
});

describe("masking", () => {
  it("changes what is marked as spoken, wherever it is, and nothing else", () => {
    const mask = maskerOf(
      z.object({
        id: plain(z.string()),
        to: carried(z.string()),
        lines: z.array(z.object({ said: spoken(z.string()), by: plain(z.string()) })),
        result: spoken(z.unknown()),
        note: spoken(z.string()).optional(),
      }),
    );
    const message = {
      id: "evt_a",
      to: "a@b",
      lines: [{ said: "hello", by: "user" }],
      result: { city: "graz" },
    };
    expect(mask(message, SHOUT)).toEqual({
      id: "evt_a",
      to: "a@b",
      lines: [{ said: "HELLO", by: "user" }],
      result: { CITY: "GRAZ" },
    });
    expect(message.lines[0]?.said).toBe("hello");
  });

  it("masks a whisper and leaves the number it goes to", () => {
    const event = {
      type: "call.transfer_requested",
      to: "+4331612345",
      mode: "warm",
      whisper: "card 4111",
    } as const;
    expect(maskCallEvent(event, SHOUT)).toEqual({ ...event, whisper: "CARD 4111" });
  });

  it("masks what was heard of an answer in a frame", () => {
    const data = { turn: 1, heardText: "your card", interruptedAtMs: 20 };
    expect(maskFrameData("call.barge_in", data, SHOUT)).toEqual({ ...data, heardText: "YOUR CARD" });
  });
});

it("takes for content each event with a field that is", () => {
  expect([...CONTENT_EVENTS].sort()).toEqual([
    "call.dtmf",
    "call.handed_off",
    "call.message",
    "call.tool_invoked",
    "call.transfer_requested",
    "recording.ready",
  ]);
});
