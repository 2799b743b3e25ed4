import { expect, it } from "vitest";
import { ask, bytes, model, serveBytes, tokens } from "../../testkit/brain-client.ts";

it.each<[string, string, string[]]>([
  [
    "events of OpenAI's Responses API",
    model(
      { type: "response.created", response: {} },
      { type: "response.reasoning_summary_text.delta", delta: "Hm." },
      { type: "response.output_text.delta", item_id: "m", delta: "Hel" },
      { type: "response.output_text.delta", item_id: "m", delta: "lo" },
      { type: "response.output_text.done", text: "Hello" },
      { type: "response.completed", response: {} },
    ),
    ["Hel", "lo"],
  ],
  [
    "events of Anthropic's Messages",
    model(
      { type: "message_start", message: {} },
      { type: "ping" },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hel" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "lo" } },
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
      { type: "message_stop" },
    ),
    ["Hel", "lo"],
  ],
  [
    "events of Vercel's AI SDK, of two versions",
    `${model(
      { type: "start" },
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "Hel" },
      { type: "text-delta", textDelta: "lo" },
      { type: "finish" },
    )}data: [DONE]\n\n`,
    ["Hel", "lo"],
  ],
  [
    "a model's empty answer, which is silence",
    model({ type: "message_start", message: {} }, { type: "message_stop" }),
    [],
  ],
])("a brain may pass on %s", async (_what, stream, expected) => {
  expect(tokens(await ask(await serveBytes([bytes(stream)])))).toEqual(expected);
});
