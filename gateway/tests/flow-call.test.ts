// In real time: a caller speaks, is heard by a recognizer, and talks over the agent.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { TestCaller } from "../../testkit/caller.ts";
import { type FakeDeepgram, startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { createFliteVoice, createScriptedRecognizer } from "../../testkit/fakes/speech/fake-speech.ts";
import { flowOf } from "../../testkit/flows.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import { flite } from "../../testkit/speech.ts";

const SAID = ["I would like a massage.", "A haircut please.", "Tomorrow."];
const LONG =
  "On that day we have a time in the morning at ten, in the afternoon at two, and in the evening at six.";

/** Books an appointment: a service, a day, a tool that looks for times, and which of them it is. */
const FLOW = flowOf(
  {
    hello: { type: "say", text: "Salon Ada.", next: "service" },
    service: {
      ...{ type: "ask", text: "What can we do for you?", save: "service", next: "day", no_answer: "sorry" },
      answer: { type: "choice", options: [{ value: "haircut" }, { value: "coloring" }] },
    },
    day: {
      ...{ type: "ask", text: "On which day?", save: "day", next: "look", no_answer: "sorry" },
      answer: { type: "date", future: true },
    },
    look: {
      ...{ type: "tool", tool: "times", arguments: { day: "{day}" }, saying: "Let me see.", next: "time" },
      ...{ failed: "sorry", save: [{ variable: "times", path: "times" }] },
    },
    time: {
      ...{ type: "ask", text: LONG, save: "time", next: "done", no_answer: "sorry" },
      answer: { type: "number", min: 1, max: 12 },
    },
    done: { type: "end", text: "Your {service} is booked for {time} on {day}." },
    desk: { type: "end", text: "Somebody calls you back." },
    sorry: { type: "end", text: "I am sorry." },
  },
  { exits: [{ name: "person", phrases: ["a person"], to: "desk" }] },
);

let vendor: FakeDeepgram;
let gateway: TestGateway;
beforeAll(async () => {
  vendor = await startFakeDeepgram({
    apiKey: "key",
    voice: createFliteVoice(),
    recognizer: createScriptedRecognizer(SAID),
  });
  gateway = await TestGateway.start({ env: { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url } });
});
afterAll(async () => {
  await gateway.close();
  await vendor.close();
});

/** A calendar that answers once it `opens`; what it was asked. */
async function calendar(opens: Promise<void>): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? "");
    await opens;
    response.writeHead(200, { "content-type": "application/json" }).end('{"times":"10, 2, 6"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/times`, asked };
}

async function flowCall(settings: object = {}, opens = Promise.resolve()) {
  const { url, asked } = await calendar(opens);
  const tools = [
    { kind: "http" as const, name: "times", description: "Free times.", method: "GET" as const, url },
  ];
  const made = await gateway.createSession({
    brain: { kind: "flow", flow: FLOW, tools },
    variables: { current_date: "2026-11-23" },
    ...settings,
  });
  const caller = await TestCaller.start(made.websocketUrl, { acknowledges: true });
  const nodes = async (): Promise<string[]> =>
    (await gateway.eventsOf(made.sessionId)).flatMap((event) =>
      event.type === "call.node_entered" ? [event.node] : [],
    );
  /** The same caller on another socket, once the first one is gone. */
  const comeBack = async (): Promise<TestCaller> => {
    const { resume } = caller.messages.find((message) => message.type === "ready") ?? { resume: "" };
    caller.drop();
    return TestCaller.start(made.websocketUrl, { acknowledges: true, resume });
  };
  return { caller, comeBack, asked, nodes };
}

it("a flow speaks first, asks again what it did not get, and books an appointment by voice", async () => {
  const { caller, asked, nodes } = await flowCall({ stt: [{ vendor: "deepgram" }] });
  expect(await caller.said("assistant")).toMatchObject({
    turn: 0,
    text: "Salon Ada. What can we do for you?",
  });
  const replies: string[] = [];
  for (const words of SAID) {
    const speaking = caller.speak(await flite(words), 1_500);
    expect((await caller.said("user")).text).toBe(words);
    await speaking;
    if (words !== "Tomorrow.") replies.push((await caller.said("assistant")).text);
  }
  expect(replies).toEqual(["Sorry, I did not get that. What can we do for you?", "On which day?"]);
  // Talked over while it still lists times: the answer counts all the same.
  await caller.next("transcript", ({ text, final }) => !final && text.includes("morning"));
  caller.send({ type: "text", text: "ten" });
  expect(await caller.said("user")).toMatchObject({ text: "ten" });
  await caller.next("transcript", ({ text }) => text.includes("booked"));
  expect(await caller.next("ended")).toMatchObject({ reason: "flow_end" });
  expect(asked).toEqual(["/times?day=2026-11-24"]);
  expect(await nodes()).toEqual(["hello", "service", "day", "look", "time", "done"]);
}, 240_000);

it("whoever asks for a person is out of the flow at any question", async () => {
  const { caller, nodes } = await flowCall();
  expect((await caller.said("assistant")).text).toBe("Salon Ada. What can we do for you?");
  caller.send({ type: "text", text: "Just let me talk to a person!" });
  expect((await caller.said("assistant")).text).toBe("Somebody calls you back.");
  expect(await caller.next("ended")).toMatchObject({ reason: "flow_end" });
  expect(await nodes()).toEqual(["hello", "service", "desk"]);
});

it("what was talked over before it was heard is said again, and counts as no answer", async () => {
  const { caller } = await flowCall();
  await caller.next("transcript", ({ text, final }) => !final && text.includes("Salon"));
  caller.send({ type: "text", text: "Hello?" });
  const again = await caller.said("assistant");
  expect(again.turn).toBe(1);
  expect(again.text).toMatch(/What can we do for you\?$/);
  expect(again.text).not.toContain("Sorry");
  caller.drop();
});

it("an agent with a first response of its own has its flow begin with the caller's first words", async () => {
  const { caller, nodes } = await flowCall({ firstResponse: "Good morning." });
  expect(await caller.said("assistant")).toMatchObject({ turn: 0, text: "Good morning." });
  caller.send({ type: "text", text: "I need a haircut" });
  expect((await caller.said("assistant")).text).toBe("Salon Ada. On which day?");
  caller.send({ type: "text", text: "a person" });
  await caller.next("ended");
  expect(await nodes()).toEqual(["hello", "service", "day", "desk"]);
});

it("a caller hears what a tool node says while its tool is still at work", async () => {
  const calendarOpens = Promise.withResolvers<void>();
  const { caller, asked } = await flowCall({}, calendarOpens.promise);
  await caller.said("assistant");
  caller.send({ type: "text", text: "A haircut" });
  await caller.said("assistant");
  const before = caller.audio.length;
  caller.send({ type: "text", text: "Tomorrow" });
  await caller.next("transcript", ({ role, text }) => role === "assistant" && text === "Let me see.");
  await caller.next("mark");
  expect(caller.audio.length).toBeGreaterThan(before);
  expect(asked).toHaveLength(1);
  calendarOpens.resolve();
  await caller.next("transcript", ({ text }) => text.startsWith("Let me see. On that day"));
  caller.drop();
});

it("a caller whose line drops comes back to the node where they were, with what they have said", async () => {
  const { caller, comeBack, asked, nodes } = await flowCall();
  await caller.said("assistant");
  caller.send({ type: "text", text: "A haircut" });
  expect((await caller.said("assistant")).text).toBe("On which day?");
  const back = await comeBack();
  back.send({ type: "text", text: "Tomorrow" });
  await back.next("transcript", ({ text }) => text.includes("morning"));
  back.send({ type: "text", text: "ten" });
  await back.next("transcript", ({ text }) => text.includes("Your haircut is booked for 10 on 2026-11-24."));
  expect(await back.next("ended")).toMatchObject({ reason: "flow_end" });
  expect(asked).toEqual(["/times?day=2026-11-24"]);
  expect(await nodes()).toEqual(["hello", "service", "day", "look", "time", "done"]);
});
