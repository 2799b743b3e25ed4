import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installApp, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { FakeGraphApi } from "../../../testkit/fakes/messaging/graph-api.ts";
import { graphEnv, newContact, TestWhatsApp } from "../../../testkit/messaging.ts";

let graph: FakeGraphApi;
let api: TestControlApi;
let whatsApp: TestWhatsApp;
let bridge: TestBridge;
beforeAll(async () => {
  graph = await FakeGraphApi.start();
  api = await TestControlApi.start({ env: graphEnv(graph), allowPrivateTargets: ["127.0.0.0/8"] });
  whatsApp = await TestWhatsApp.start(api, graph, (turn) => {
    turn.token(`You said: ${turn.request.query}`);
    turn.done();
  });
  const appId = await installApp(whatsApp.person, { scopes: ["whatsapp:send"] });
  bridge = await TestBridge.open(whatsApp.person, appId);
});
afterAll(async () => {
  whatsApp.close();
  await api.close();
  graph.close();
});

const send = (phone: string, more: object = {}): Promise<unknown> =>
  bridge.call("whatsapp.send", {
    ...{ channelId: whatsApp.channelId, phone, text: "Your table is ready." },
    ...more,
  });

describe("WhatsApp for apps", () => {
  it("lists the organization's numbers", async () => {
    expect(await bridge.call("whatsapp.channels")).toEqual([{ id: whatsApp.channelId, kind: "whatsapp" }]);
  });

  it("sends to who wrote before, as the user, and the agent goes on answering", async () => {
    const contact = newContact();
    await whatsApp.say(contact, "Hello");
    await whatsApp.textsTo(contact, 1);
    expect(await send(`+${contact.slice(0, 2)} ${contact.slice(2)}`)).toEqual({
      id: expect.stringMatching(/^msg_/),
    });
    expect(await whatsApp.textsTo(contact, 2)).toEqual(["You said: Hello", "Your table is ready."]);
    await whatsApp.say(contact, "Thanks");
    expect((await whatsApp.textsTo(contact, 3))[2]).toBe("You said: Thanks");
    const sent = await api.database.db
      .selectFrom("messaging_messages")
      .select(["author", "author_id"])
      .where("author", "=", "member")
      .execute();
    expect(sent).toEqual([{ author: "member", author_id: whatsApp.person.userId }]);
  });

  it("sends nothing to who never wrote, and begins no conversation with them", async () => {
    await expect(send(`+${newContact()}`)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("24 hours"),
    });
    const threads = await api.database.db.selectFrom("messaging_threads").select("id").execute();
    expect(threads).toHaveLength(1);
  });

  it("sends nothing to who asked for no more messages, although the window is open", async () => {
    const contact = newContact();
    await whatsApp.say(contact, "Stop");
    await expect(send(`+${contact}`)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("no more messages"),
      details: { reason: "do_not_call" },
    });
  });

  it("refuses a number without its country, and a channel that is not the organization's", async () => {
    await expect(send("0201234567")).rejects.toMatchObject({ code: "invalid_arguments" });
    await expect(send("+31201234567", { channelId: "con_none" })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
