import { encodeVoiceNote } from "@parley/media/opus-file/voice-note.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { BrainTurn } from "../../../testkit/brain.ts";
import { FakeGraphApi } from "../../../testkit/fakes/messaging/graph-api.ts";
import type { FakeRecognizer } from "../../../testkit/fakes/speech/fake-speech.ts";
import { type FakeOpenAi, startFakeOpenAi } from "../../../testkit/fakes/speech/openai.ts";
import { likeness } from "../../../testkit/likeness.ts";
import { graphEnv, newContact, TestWhatsApp } from "../../../testkit/messaging.ts";
import { flite } from "../../../testkit/speech.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";

const SOON = { timeout: 90_000, interval: 20 };
const OGG = "audio/ogg; codecs=opus";
const SENTENCE = "I would like to book a table for two people.";

let graph: FakeGraphApi;
let speech: FakeOpenAi;
let webhooks: TestWebhooks;
let whatsApp: TestWhatsApp;
let note: Buffer;
/** What the recognizer got, and what it says to that. */
let heard: Int16Array[] = [];
let says: (nr: number) => string;

beforeAll(async () => {
  graph = await FakeGraphApi.start();
  const recognizer: FakeRecognizer = {
    interim: () => "",
    final: async (samples) => says(heard.push(samples)),
  };
  speech = await startFakeOpenAi({ apiKey: "key", voice: flite, recognizer });
  const env = { ...graphEnv(graph), OPENAI_API_KEY: "key", OPENAI_BASE_URL: speech.url };
  webhooks = await TestWebhooks.start({ env });
  graph.nowMs = () => webhooks.clock.wallMs();
  whatsApp = await TestWhatsApp.start(webhooks.api, graph, (turn: BrainTurn) => {
    turn.token(`You said: ${turn.request.query}`);
    turn.done();
  });
  const stt = [{ vendor: "openai", language: "en-US" }];
  await whatsApp.person.call("PATCH", `/api/agents/${whatsApp.agentId}`, { stt });
  note = Buffer.from(await encodeVoiceNote(await flite(SENTENCE)));
});
beforeEach(() => {
  heard = [];
  says = () => "a table for two";
  speech.faults.clear();
});
afterAll(async () => {
  whatsApp.close();
  await webhooks.close();
  await speech.close();
  graph.close();
});

function send(contact: string, bytes: Buffer, voice = true): Promise<void> {
  const { id } = graph.addMedia(OGG, bytes);
  return whatsApp.receive(contact, { type: "audio", audio: { id, mime_type: OGG, voice } });
}

describe("a voice message", () => {
  it("is heard by the agent's recognizer, and answered as what was said", async () => {
    const contact = newContact();
    await send(contact, note);
    expect(await whatsApp.textsTo(contact, 1)).toEqual(["You said: a table for two"]);
    expect(speech.asked.forms.at(-1)).toMatchObject({ language: "en" });
    expect(likeness(heard[0] ?? new Int16Array(), await flite(SENTENCE))).toBeGreaterThan(0.8);
  });

  it("joins the turn with what is written around it", async () => {
    const contact = newContact();
    await whatsApp.say(contact, "Hello!");
    await send(contact, note);
    await whatsApp.say(contact, "Tonight");
    const isAnswered = () => expect(graph.textsTo(contact).join()).toContain("Tonight");
    await vi.waitFor(isAnswered, SOON);
    const said = graph.textsTo(contact).join("\n").replaceAll("You said: ", "");
    expect(said).toBe("Hello!\na table for two\nTonight");
  });

  it("is shown as text in the inbox, masked as other texts are", async () => {
    says = () => "my card is 4111 1111 1111 1111";
    const contact = newContact();
    await send(contact, note);
    await whatsApp.textsTo(contact, 1);
    const shown = await webhooks.api.database.db
      .selectFrom("messaging_messages")
      .innerJoin("messaging_threads", "messaging_threads.id", "messaging_messages.thread_id")
      .select(["messaging_messages.body", "messaging_messages.sealed"])
      .where("contact_phone", "=", `+${contact}`)
      .where("direction", "=", "in")
      .executeTakeFirst();
    expect(shown).toEqual({ body: expect.stringContaining("my card is"), sealed: null });
    expect(shown?.body).not.toContain("4111 1111");
    expect(whatsApp.brain.queries.at(-1)).toContain("4111 1111 1111 1111");
  });

  it("of a minute is heard in pieces, none of which a recognizer drops", async () => {
    says = (nr) => `part ${nr}`;
    const sentence = await flite(SENTENCE);
    const minute = new Int16Array(60 * 16_000);
    for (let at = 0; at + sentence.length < minute.length; at += sentence.length) minute.set(sentence, at);
    const contact = newContact();
    await send(contact, Buffer.from(await encodeVoiceNote(minute)));
    expect(await whatsApp.textsTo(contact, 1)).toEqual(["You said: part 1 part 2 part 3"]);
  });

  it("that is not understood is told to the agent as that, whichever part of the way fails", async () => {
    const words = "You said: [The contact sent a voice message that could not be understood]";
    const refused = newContact();
    speech.faults.set({ kind: "status", status: 401 });
    await send(refused, note);
    expect(await whatsApp.textsTo(refused, 1)).toEqual([words]);
    speech.faults.clear();
    for (const bytes of [Buffer.from("not a sound"), note.subarray(0, 100), Buffer.alloc(0)]) {
      const contact = newContact();
      await send(contact, bytes);
      expect(await whatsApp.textsTo(contact, 1)).toEqual([words]);
    }
  });

  it("without words is told as that", async () => {
    says = () => "";
    const contact = newContact();
    await send(contact, note);
    expect(await whatsApp.textsTo(contact, 1)).toEqual([
      "You said: [The contact sent a voice message without words]",
    ]);
  });

  it("that asks for no more messages puts its sender on the do-not-call list", async () => {
    says = () => "Stop.";
    const contact = newContact();
    await send(contact, note);
    await vi.waitFor(async () => {
      const { body } = await whatsApp.call("GET", `/dnc?search=${contact}`);
      expect(body.data).toMatchObject({ total: 1, numbers: [{ number: `+${contact}`, source: "message" }] });
    }, SOON);
    expect(graph.textsTo(contact)).toEqual([]);
  });

  it("is counted as usage of its conversation's agent, by the second, once", async () => {
    const contact = newContact();
    await send(contact, note);
    await whatsApp.textsTo(contact, 1);
    const rows = await webhooks.api.database.db
      .selectFrom("usage_rows")
      .selectAll()
      .where("metric", "=", "stt_seconds")
      .orderBy("at")
      .execute();
    expect(rows.at(-1)).toMatchObject({
      ...{ vendor: "openai", channel: "whatsapp", source: expect.stringMatching(/^heard msg_/) },
      quantity: String(Math.ceil((await flite(SENTENCE)).length / 16_000)),
    });
    const { session_id } = await webhooks.api.database.db
      .selectFrom("messaging_threads")
      .select("session_id")
      .where("contact_phone", "=", `+${contact}`)
      .executeTakeFirstOrThrow();
    const used = await whatsApp.call("GET", `/usage/calls/${session_id}`);
    const line: unknown = expect.objectContaining({ metric: "stt_seconds", vendor: "openai" });
    expect(used.body.data).toMatchObject({ lines: expect.arrayContaining([line]) as unknown });
  });

  it("is not heard where it is a file of music", async () => {
    const contact = newContact();
    await send(contact, note, false);
    expect(await whatsApp.textsTo(contact, 1)).toEqual(["You said: [The contact sent a voice message]"]);
    expect(heard).toEqual([]);
  });
});
