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
  "ai.llm": ({ args }: HostCall) => ({ text: answerTo(args) }),
  "ai.llmStream": async ({ args, onEvent, signal }: HostCall) => {
    const text = answerTo(args);
    for (const token of text.split(/(?<= )/)) {
      // Each word arrives as its own message, as from a server.
      await new Promise((resolve) => setTimeout(resolve));
      if (signal.aborted) throw new BridgeError("canceled", "The call was canceled.");
      onEvent({ token });
    }
    return { text };
  },
};

function answerTo(args: HostCall["args"]): string {
  const { messages } = args.request as LlmRequest;
  return `The mock was asked: ${messages.at(-1)?.content ?? ""}`;
}
