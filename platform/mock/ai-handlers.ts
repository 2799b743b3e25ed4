import type { HostCall } from "../host/executor.ts";
import { AI_TIERS, type LlmRequest } from "../methods/ai.ts";
import { BridgeError } from "../wire/errors.ts";

const MODEL = "mock";

/** A model that echoes its input, whole or word by word: enough to watch an answer grow. */
export const AI_HANDLERS = {
  "ai.models": () => ({
    tiers: AI_TIERS.map((tier) => ({ tier, model: MODEL })),
    models: [{ id: MODEL, name: "The mock's model", provider: "mock" }],
  }),
  "ai.llm": ({ args }: HostCall) => resultOf(args),
  "ai.llmStream": async ({ args, onEvent, signal }: HostCall) => {
    const result = resultOf(args);
    for (const token of result.text.split(/(?<= )/)) {
      // Each word arrives as its own message, as from a server.
      await new Promise((resolve) => setTimeout(resolve));
      if (signal.aborted) throw new BridgeError("canceled", "The call was canceled.");
      onEvent({ token });
    }
    return result;
  },
};

/** Counts words as tokens. */
function resultOf(args: HostCall["args"]) {
  const { messages } = args.request as LlmRequest;
  const text = answerTo(args);
  const words = (said: string): number => said.split(/\s+/).filter((word) => word !== "").length;
  const inputTokens = messages.reduce((sum, { content }) => sum + words(content), 0);
  return { text, usage: { inputTokens, outputTokens: words(text) } };
}

function answerTo(args: HostCall["args"]): string {
  const { messages } = args.request as LlmRequest;
  return `The mock was asked: ${messages.at(-1)?.content ?? ""}`;
}
