// Real time: a caller speaks, is asked again, talks over the agent, and a recognizer hears it as it comes.
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestCaller } from "../testkit/caller.ts";
import { TestChats } from "../testkit/chat.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import { flowOf } from "../testkit/flows.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { needs } from "../testkit/needs.ts";
import { POCKETSPHINX } from "../testkit/recognizer.ts";
import { flite } from "../testkit/speech.ts";

const HEARD_MS = 60_000;
const BOOKED =
  "Your appointment is noted. We look forward to seeing you. Please come ten minutes early, and bring a pen.";
/** Goes on with whoever wants a person. */
const PERSON = flowOf({
  here: { type: "say", text: "Grace here. {summary}", next: "bye" },
  bye: { type: "end", text: "Goodbye." },
});
const BOOKING = (personId: string) =>
  flowOf(
    {
      day: {
        ...{ type: "ask", text: "On which day?", save: "day", answer: { type: "date" } },
        ...{ next: "half", no_answer: "pass" },
      },
      half: {
        ...{ type: "ask", text: "In the morning, or in the afternoon?", save: "half" },
        answer: { type: "choice", options: [{ value: "morning" }, { value: "afternoon" }] },
        ...{ next: "booked", no_answer: "pass" },
      },
      booked: { type: "say", text: BOOKED, next: "more" },
      more: { type: "wait", next: "sorry" },
      pass: {
        ...{ type: "hand_off", text: "One moment.", agentId: personId, variables: ["day", "half"] },
        ...{ summary: "They come in the {half}.", failed: "sorry" },
      },
      sorry: { type: "end", text: "Please call again." },
    },
    { exits: [{ name: "A person", phrases: ["a person"], to: "pass" }] },
  );

describe.runIf(needs("pocketsphinx"))("a flow that is talked to", () => {
  let api: TestControlApi;
  let gateway: TestGateway;
  let chats: TestChats;
  beforeAll(async () => {
    api = await TestControlApi.start();
    gateway = await TestGateway.start({ bus: api.bus, keys: api.keys, env: { STT_COMMAND: POCKETSPHINX } });
    chats = await TestChats.start(api, () => undefined, { firstResponse: undefined });
  });
  afterAll(async () => {
    chats.close();
    await gateway.gateway.close();
    await api.close();
    await rm(gateway.dataDir, { recursive: true, force: true });
  });

  it("books by voice, asks again, is talked over, hands to a person's agent, and ends; its record has each node", async () => {
    const { keys, agentId } = chats.organization;
    const brain = { kind: "flow", flow: PERSON };
    const made = await api.call("POST", "/api/agents", { key: keys.owner, body: { name: "Grace", brain } });
    const personId = String((made.body.data as { id: string }).id);
    await chats.change({
      brain: { kind: "flow", flow: BOOKING(personId) },
      stt: [{ vendor: "command" }],
      silence: { promptAfterMs: 0 },
      // This recognizer takes seconds on a busy machine; the answer waits for its words.
      turnTaking: { bargeIn: { falseAlarmMs: 10_000 } },
    });
    const body = { agentId };
    const begun = await api.call("POST", "/api/sessions/init-web-call", { key: keys.owner, body });
    const { websocketUrl, sessionId } = begun.body.data as { websocketUrl: string; sessionId: string };
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    const agentSays = async () => (await caller.said("assistant", HEARD_MS)).text;
    const say = async (text: string) => caller.speak(await flite(text, "rms"), 800);

    expect(await agentSays()).toBe("On which day?");
    await say("I do not know yet");
    expect(await agentSays()).toBe("Sorry, I did not get that. On which day?");
    await say("tomorrow");
    expect(await agentSays()).toBe("In the morning, or in the afternoon?");
    await say("in the afternoon");
    // Its voice is there: it speaks.
    await caller.next("mark", () => true, HEARD_MS);
    await say("Let me talk to a person");
    const cut = await agentSays();
    expect(cut.length).toBeLessThan(BOOKED.length);
    expect(BOOKED.startsWith(cut)).toBe(true);
    expect(await agentSays()).toBe("One moment.");
    expect(await agentSays()).toBe("Grace here. They come in the afternoon. Goodbye.");
    expect(await caller.next("ended", () => true, HEARD_MS)).toMatchObject({ reason: "flow_end" });

    const record = () => chats.record(sessionId);
    await expect.poll(async () => (await record()).endReason, { timeout: 10_000 }).toBe("flow_end");
    const { path, handOffs } = await record();
    expect(path).toMatchObject([
      { node: "day", agentId: null },
      { node: "half", agentId: null },
      { node: "booked", agentId: null },
      { node: "more", agentId: null },
      { node: "pass", agentId: null },
      { node: "here", agentId: personId },
      { node: "bye", agentId: personId },
    ]);
    expect(handOffs).toMatchObject([{ agentId: personId, summary: "They come in the afternoon." }]);
  });
});
