import { expect, it } from "vitest";
import { flowOf } from "../../../testkit/flows.ts";
import { chat, collect, modelBrains, modelPlan, question, saidIn } from "../../../testkit/model-brain.ts";

it("models that send a caller to each other without a word are made to talk in the same turn", async () => {
  const fake = await chat(({ tools = [] }) =>
    tools.length > 0 ? { calls: [{ name: "go_1", arguments: "{}" }] } : { text: "How can I help?" },
  );
  const flow = flowOf(
    {
      sales: { type: "model", prompt: "You sell.", next: "bye" },
      service: { type: "model", prompt: "You repair.", next: "bye" },
      bye: { type: "end", text: "Bye." },
    },
    {
      edges: [
        { from: "sales", to: "service", judge: "the caller does not want to buy" },
        { from: "service", to: "sales", judge: "the caller does not want a repair" },
      ],
    },
  );
  const plan = modelPlan({ kind: "flow", flow, url: fake.url });
  const parts = await collect(modelBrains().ask(question(plan)));
  expect(saidIn(parts).replaceAll("<node_entered>", "")).toBe("How can I help?");
  expect(fake.asked.length).toBeLessThan(20);
});
