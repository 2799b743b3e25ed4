import { expect, it } from "vitest";
import { parseClientMessage } from "./client-message.ts";

const USUAL = { encoding: "pcm_s16le", sampleRate: 16000 };

it.each<[string, object, object]>([
  ["a start without fields", { type: "start" }, { type: "start", audio: USUAL }],
  [
    "a start with fields it has no value for",
    { type: "start", audio: null, resume: null },
    { type: "start", audio: USUAL, resume: null },
  ],
  ["a key in lower case", { type: "dtmf", digit: "d" }, { type: "dtmf", digit: "D" }],
])("%s is read", (_what, message, read) => {
  expect(parseClientMessage(JSON.stringify(message))).toEqual({ ok: true, message: read });
});

it.each<[string, string, string]>([
  ["no JSON", "hello", "The text message is not JSON."],
  ["an array", "[]", "A message is a JSON object with a type."],
  ["a key that is none", '{"type":"dtmf","digit":"E"}', "digit must be one of 0, 1, 2"],
  ["a number for a key", '{"type":"dtmf","digit":5}', "digit must be one of 0, 1, 2"],
  [
    "a rate as text",
    '{"type":"start","audio":{"sampleRate":"16000"}}',
    "audio.sampleRate must be one of 8000",
  ],
])("%s is refused in words", (_what, text, words) => {
  expect(parseClientMessage(text)).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
});
