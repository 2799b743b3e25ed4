import { expect, it } from "vitest";
import { collect, modelBrains, question, saidIn, serve, toolsIn } from "../../../testkit/model-brain.ts";
import { type BrainPlan, plannedBrainSchema } from "../../contracts/brain-plan.ts";
import type { CalledControlApiTool, ControlApiTools } from "../../tool-runs/port.ts";

const TOOL = {
  ...{ kind: "control_api", of: "connector", name: "find_order", description: "Finds.", parameters: {} },
  ...{ media: ["voice", "text"], timeoutMs: 5_000, agentId: "agt_1", agentVersion: 1 },
};
const ASKS = { event: "tool_call", id: "t1", name: "find_order", arguments: { orderNumber: "1001" } };
const FOUND = { status: "success", result: { orders: [{ number: "1001" }] } } as const;

/** A brain that sends these events, an answer a request; `asked` are the bodies it got. */
async function brain(...answers: (readonly unknown[])[]): Promise<{ plan: BrainPlan; asked: unknown[] }> {
  const asked: unknown[] = [];
  const url = await serve((_req, res, body) => {
    asked.push(JSON.parse(body));
    const events = answers[asked.length - 1] ?? ["(no more answers)"];
    res.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of events) res.write(`data: ${JSON.stringify(event)}\n\n`);
    res.end("data: [DONE]\n\n");
  });
  return { plan: plannedBrainSchema.parse({ kind: "custom", url: `${url}/`, tools: [TOOL] }), asked };
}

/** What runs in the control API, and what it was asked. */
function controlApi(run: ControlApiTools["run"] = async () => FOUND) {
  const called: CalledControlApiTool[] = [];
  const controlApiTools: ControlApiTools = {
    run: (call) => {
      called.push(call);
      return run(call);
    },
  };
  return { controlApiTools, called };
}

it("a brain that asks for a tool gets what came of it in its next request, and goes on with its answer", async () => {
  const { plan, asked } = await brain(["Let me look. ", ASKS], ["It is on its way."]);
  const { controlApiTools, called } = controlApi();
  const parts = await collect(modelBrains({ controlApiTools }).ask(question(plan, { identifier: "ada" })));
  expect(saidIn(parts)).toBe("Let me look. <flush><tool>It is on its way.");
  expect(called).toMatchObject([
    { arguments: { orderNumber: "1001" }, orgId: "org_1", sessionId: "ses_1", turn: 1, identifier: "ada" },
  ]);
  expect(asked).toMatchObject([
    { query: "hi", turn: 1 },
    {
      query: "hi",
      turn: 1,
      toolResults: [{ id: "t1", name: "find_order", arguments: { orderNumber: "1001" }, ...FOUND }],
    },
  ]);
  expect(asked[0]).not.toHaveProperty("toolResults");
  expect(toolsIn(parts)).toMatchObject([{ name: "find_order", status: "success", result: FOUND.result }]);
});

it("a tool that the agent does not have is not run, and the brain is told", async () => {
  const { plan, asked } = await brain([{ ...ASKS, name: "refund_everything" }], ["I cannot do that."]);
  const { controlApiTools, called } = controlApi();
  await collect(modelBrains({ controlApiTools }).ask(question(plan)));
  expect(called).toEqual([]);
  expect(asked[1]).toMatchObject({ toolResults: [{ id: "t1", status: "not_found" }] });
});

it("the next turn's brain is told of a tool that the caller did not wait for", async () => {
  const { plan, asked } = await brain([ASKS], ["All right."]);
  const stop = new AbortController();
  const { controlApiTools } = controlApi(async ({ signal }) => {
    stop.abort();
    return { status: signal.aborted ? "abandoned" : "success", result: null };
  });
  const brains = modelBrains({ controlApiTools });
  await collect(brains.ask(question(plan, { signal: stop.signal })));
  await collect(brains.ask(question(plan, { request: { query: "Never mind", turn: 2 } })));
  expect(asked[1]).toMatchObject({ turn: 2, toolResults: [{ id: "t1", status: "abandoned" }] });
});

it("a brain that asks for tools for ever is asked six times", async () => {
  const { plan, asked } = await brain(...Array.from({ length: 10 }, () => [ASKS]));
  await collect(modelBrains(controlApi()).ask(question(plan)));
  expect(asked).toHaveLength(6);
});
