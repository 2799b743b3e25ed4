import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordedEvents } from "../../testkit/call-events.ts";
import { FakeGraphApi } from "../../testkit/fakes/messaging/graph-api.ts";
import { FakeInstagram } from "../../testkit/fakes/messaging/instagram.ts";
import { flowOf } from "../../testkit/flows.ts";
import {
  type ConnectedAccount,
  connectInstagram,
  graphEnv,
  newContact,
  TestWhatsApp,
} from "../../testkit/messaging.ts";
import { lookTool, serve } from "../../testkit/model-brain.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

const SOON = { timeout: 90_000, interval: 20 };
const DESK = "I cannot put you through here.";
/** Books a table; asks a shop how many it has. */
const FLOW = flowOf(
  {
    hello: { type: "say", text: "Chez Ada.", next: "day" },
    day: {
      ...{ type: "ask", text: "On which day?", save: "day", answer: { type: "date", future: true } },
      ...{ next: "look", no_answer: "sorry" },
    },
    look: {
      ...{ type: "tool", tool: "look", arguments: { day: "{day}" }, next: "guests", failed: "sorry" },
      save: [{ variable: "free", path: "free" }],
    },
    guests: {
      ...{ type: "ask", text: "There are {free} tables. For how many?", save: "guests", next: "done" },
      ...{ answer: { type: "number", min: 1 }, no_answer: "sorry" },
    },
    done: { type: "end", text: "A table for {guests}. Goodbye." },
    desk: { type: "transfer", to: "+4930123456", failed: "sorry" },
    sorry: { type: "end", text: DESK },
  },
  { exits: [{ name: "A person, please", phrases: ["a person"], to: "desk" }] },
);

/** A contact on a channel. */
interface Contact {
  readonly say: (text: string) => Promise<unknown>;
  readonly texts: () => string[];
}

describe("a conversation that follows a flow", () => {
  let graph: FakeGraphApi;
  let instagram: FakeInstagram;
  let webhooks: TestWebhooks;
  let whatsApp: TestWhatsApp;
  let connected: ConnectedAccount;
  beforeAll(async () => {
    graph = await FakeGraphApi.start();
    instagram = await FakeInstagram.start();
    const urls = [...Object.values(graphEnv(graph)), `instagram=${instagram.url}`].join(",");
    webhooks = await TestWebhooks.start({ env: { INTEGRATION_URLS: urls } });
    for (const fake of [graph, instagram]) fake.nowMs = () => webhooks.clock.wallMs();
    whatsApp = await TestWhatsApp.start(webhooks.api, graph, () => undefined);
    const { person, agentId } = whatsApp;
    connected = await connectInstagram(person, instagram, agentId);
  });
  afterAll(async () => {
    whatsApp.close();
    await webhooks.close();
    graph.close();
    instagram.close();
  });

  const contactOn = (channel: string): Contact => {
    const from = newContact();
    if (channel === "whatsapp")
      return { say: (text) => whatsApp.say(from, text), texts: () => graph.textsTo(from) };
    const { account } = connected;
    const { callbackUrl } = connected.channel.webhook;
    const say = (text: string) =>
      instagram.post(callbackUrl, account, instagram.inbound(account, from, { text }));
    return { say, texts: () => instagram.textsTo(from) };
  };
  /** The flow, with a shop that has three tables; what that was asked. */
  const serving = async (): Promise<unknown[]> => {
    const asked: unknown[] = [];
    const url = await serve((_request, response, body) => {
      asked.push(JSON.parse(body));
      response.writeHead(200, { "content-type": "application/json" }).end('{"free":3}');
    });
    const brain = { kind: "flow", flow: FLOW, tools: [lookTool({ url })] };
    const { person, agentId } = whatsApp;
    const changed = await person.call("PATCH", `/api/agents/${agentId}`, { brain });
    expect(changed.status, changed.text).toBe(200);
    return asked;
  };
  const calls = async (channel: string): Promise<{ id: string; sessionId: string; endReason: string }[]> => {
    const { body } = await whatsApp.call("GET", `/calls?channel=${channel}`);
    return (body.data as { calls: { id: string; sessionId: string; endReason: string }[] }).calls;
  };

  it.each(["whatsapp", "instagram"])(
    "on %s goes from node to node, asks again, runs a tool, ends, and begins anew",
    async (channel) => {
      const asked = await serving();
      const { say, texts } = contactOn(channel);
      const hears = async (text: string, count: number): Promise<string | undefined> => {
        await say(text);
        await expect.poll(() => texts().length, SOON).toBe(count);
        return texts().at(-1);
      };
      expect(await hears("Hello", 1)).toBe("Chez Ada. On which day?");
      expect(await hears("Whenever you like", 2)).toBe("Sorry, I did not get that. On which day?");
      expect(await hears("Tomorrow", 3)).toBe("There are 3 tables. For how many?");
      expect(await hears("Four of us", 4)).toBe("A table for 4. Goodbye.");
      expect(asked).toEqual([{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }]);
      await expect.poll(async () => (await calls(channel))[0]?.endReason, SOON).toBe("flow_end");
      const { id = "", sessionId = "" } = (await calls(channel))[0] ?? {};
      const { path, tools } = (await whatsApp.call("GET", `/calls/${id}`)).body.data as Record<
        string,
        unknown
      >;
      const way = [
        { node: "hello", turn: 1 },
        { node: "day", turn: 1 },
        { node: "look", turn: 3 },
        { node: "guests", turn: 3 },
        { node: "done", turn: 4 },
      ];
      expect(path).toMatchObject(way);
      expect(tools).toMatchObject([{ name: "look", status: "success", turn: 3 }]);
      const events = await recordedEvents(webhooks.api.database, sessionId);
      expect(events.filter(({ type }) => type === "call.node_entered")).toMatchObject(way);

      // Whoever writes once it is over is met as anybody is; nobody is put through in writing.
      expect(await hears("A person, please", 5)).toBe(`Chez Ada. ${DESK}`);
      await expect.poll(async () => (await calls(channel)).length, SOON).toBe(2);
    },
  );
});
