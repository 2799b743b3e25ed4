import { describe, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { FakeGraphApi } from "../../../testkit/fakes/messaging/graph-api.ts";
import { raceBehind } from "../../../testkit/lock-race.ts";
import { graphEnv, newContact, TestWhatsApp, untilQuiet } from "../../../testkit/messaging.ts";
import { needs } from "../../../testkit/needs.ts";

describe.runIf(needs("postgres"))("a number that is disconnected", () => {
  it("waits for the messages that come at this moment, and none of both is ended for the other", async () => {
    const graph = await FakeGraphApi.start();
    onTestFinished(() => graph.close());
    const api = await TestControlApi.start({ env: graphEnv(graph), allowPrivateTargets: ["127.0.0.0/8"] });
    onTestFinished(() => api.close());
    const whatsApp = await TestWhatsApp.start(api, graph, (turn) => {
      turn.token("Yes.");
      turn.done();
    });
    onTestFinished(() => whatsApp.close());
    const contact = newContact();
    await whatsApp.say(contact, "Hello");
    await untilQuiet(api);
    const answers: number[] = [];
    const said = async () => {
      const message = { type: "text", text: { body: "Are you there?" } };
      answers.push(await whatsApp.post(graph.inbound(whatsApp.number, contact, message)));
    };
    const disconnected = async () => {
      const path = `/whatsapp-cloud/channels/${whatsApp.channelId}`;
      answers.push((await whatsApp.call("DELETE", path)).status);
    };
    const lock = (trx: typeof api.database.db) =>
      trx
        .selectFrom("messaging_threads")
        .select("id")
        .where("channel_id", "=", whatsApp.channelId)
        .forUpdate()
        .execute();
    expect(await raceBehind(api.database, lock, [said, disconnected])).toEqual([]);
    expect(answers).toEqual([200, 200]);
    const left = api.database.db
      .selectFrom("messaging_messages")
      .select("id")
      .where("channel_id", "=", whatsApp.channelId);
    expect(await left.execute()).toEqual([]);
  });
});
