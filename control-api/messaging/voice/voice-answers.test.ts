import { decodeVoiceNote, encodeVoiceNote } from "@parley/media/opus-file/voice-note.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { BrainTurn } from "../../../testkit/brain.ts";
import { FakeGraphApi, graphError } from "../../../testkit/fakes/messaging/graph-api.ts";
import { type FakeOpenAi, startFakeOpenAi } from "../../../testkit/fakes/speech/openai.ts";
import { likeness } from "../../../testkit/likeness.ts";
import { graphEnv, newContact, TestWhatsApp, untilQuiet } from "../../../testkit/messaging.ts";
import { flite } from "../../../testkit/speech.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";

const SOON = { timeout: 90_000, interval: 20 };
/** Between two steps of the clock, work that holds a lease must have the time to renew it. */
const STEPPING = { timeout: 90_000, interval: 500 };
const OGG = "audio/ogg; codecs=opus";
const ANSWER = "We are open until five o'clock today.";

let graph: FakeGraphApi;
let speech: FakeOpenAi;
let webhooks: TestWebhooks;
let whatsApp: TestWhatsApp;
let note: Buffer;
let answer = ANSWER;

beforeAll(async () => {
  graph = await FakeGraphApi.start();
  const recognizer = { interim: () => "", final: async () => "When do you close?" };
  speech = await startFakeOpenAi({ apiKey: "key", voice: flite, recognizer });
  const env = { ...graphEnv(graph), OPENAI_API_KEY: "key", OPENAI_BASE_URL: speech.url };
  webhooks = await TestWebhooks.start({ env });
  graph.nowMs = () => webhooks.clock.wallMs();
  whatsApp = await TestWhatsApp.start(webhooks.api, graph, (turn: BrainTurn) => {
    turn.token(answer);
    turn.done();
  });
  const [stt, tts] = [[{ vendor: "openai" }], [{ vendor: "openai", voice: "nova" }]];
  const messaging = { answerVoiceWithVoice: true };
  await whatsApp.person.call("PATCH", `/api/agents/${whatsApp.agentId}`, { stt, tts, messaging });
  note = Buffer.from(await encodeVoiceNote(await flite("When do you close?")));
});
beforeEach(() => {
  answer = ANSWER;
  speech.faults.clear();
});
afterAll(async () => {
  whatsApp.close();
  await webhooks.close();
  await speech.close();
  graph.close();
});

function send(contact: string): Promise<void> {
  const { id } = graph.addMedia(OGG, note);
  return whatsApp.receive(contact, { type: "audio", audio: { id, mime_type: OGG, voice: true } });
}

/** What the contact got first. */
function answered(contact: string) {
  return vi.waitFor(() => {
    const [message] = graph.sent.filter(({ to }) => to === contact);
    if (!message) throw new Error("nothing was sent yet");
    return message.body as { type: string; audio?: { id: string; voice: boolean }; text?: { body: string } };
  }, SOON);
}

describe("an agent that got a voice message", () => {
  it("answers with one in its own voice, which the inbox plays and shows as text, and which is counted", async () => {
    const contact = newContact();
    await send(contact);
    const { type, audio } = await answered(contact);
    expect([type, audio?.voice]).toEqual(["audio", true]);
    const media = graph.mediaOf(audio?.id ?? "");
    expect(media?.mimeType).toBe(OGG);
    const heard = await decodeVoiceNote(media?.bytes ?? Buffer.alloc(0), 60_000);
    expect(likeness(heard, await flite(ANSWER))).toBeGreaterThan(0.8);
    expect(speech.asked.voices.at(-1)).toMatchObject({ voice: "nova" });
    const shown = await vi.waitFor(async () => {
      const [row] = await webhooks.api.database.db
        .selectFrom("messaging_messages as m")
        .innerJoin("messaging_threads as t", "t.id", "m.thread_id")
        .select(["m.id", "m.type", "m.body", "m.status", "m.media", "m.sealed", "m.content"])
        .where("t.contact_phone", "=", `+${contact}`)
        .where("m.direction", "=", "out")
        .execute();
      expect(row?.status).toBe("sent");
      return row;
    }, SOON);
    expect(shown).toMatchObject({ type: "audio", body: ANSWER, sealed: null, content: null });
    expect(shown?.media).toMatchObject({ isVoice: true, key: `messages/${shown?.id}` });
    const used = await webhooks.api.database.db
      .selectFrom("usage_rows")
      .select(["metric", "vendor", "channel", "quantity"])
      .where("source", "=", `spoken ${shown?.id}`)
      .execute();
    const quantity = String(ANSWER.length);
    expect(used.map((row) => ({ ...row, quantity: String(row.quantity) }))).toEqual([
      { metric: "tts_characters", vendor: "openai", channel: "whatsapp", quantity },
    ]);
  });

  it("writes what cannot be said: a link, or more than two minutes", async () => {
    for (const said of ["See https://example.com/hours", "We are open. ".repeat(130)]) {
      answer = said;
      const contact = newContact();
      await send(contact);
      expect((await answered(contact)).text?.body).toContain(said.slice(0, 12));
    }
  });

  it("writes where nobody speaks, or WhatsApp does not take the file", async () => {
    const unspoken = newContact();
    speech.faults.set({ kind: "status", status: 401 });
    await send(unspoken);
    expect(await answered(unspoken)).toMatchObject({ type: "text" });
    speech.faults.clear();
    await untilQuiet(webhooks.api);
    graph.uploadFaults.push(graphError(400, 131053, "Media upload error"));
    const refused = newContact();
    await send(refused);
    expect(await answered(refused)).toMatchObject({ type: "text", text: { body: ANSWER } });
  });

  it("speaks once, however often the message is sent", async () => {
    const contact = newContact();
    await untilQuiet(webhooks.api);
    const before = speech.asked.texts.length;
    graph.faults.push(graphError(400, 130429, "Rate limit hit"));
    await send(contact);
    await vi.waitFor(() => {
      webhooks.clock.step(10_000);
      expect(graph.sent.filter(({ to }) => to === contact)).toHaveLength(1);
    }, STEPPING);
    expect(speech.asked.texts.length - before).toBe(1);
  });

  it("writes when it was written to", async () => {
    const contact = newContact();
    await whatsApp.say(contact, "When do you close?");
    expect(await answered(contact)).toMatchObject({ type: "text", text: { body: ANSWER } });
  });
});
