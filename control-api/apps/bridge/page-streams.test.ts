import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installApp, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestPageStream } from "../../../testkit/page-stream.ts";
import { TestPerson } from "../../../testkit/person.ts";

const NOTES = { method: "data.subscribe", params: { type: "note" } };

let api: TestControlApi;
let person: TestPerson;
beforeAll(async () => {
  api = await TestControlApi.start();
  person = await TestPerson.register(api);
});
afterAll(() => api.close());

describe("a page's stream", () => {
  it("carries the subscriptions of many frames, each under its own id, until it is taken out", async () => {
    const apps = ["one", "two"].map((id) =>
      installApp(person, { id: `app-${id}`, scopes: ["objects:note"] }),
    );
    const [one = "", two = ""] = await Promise.all(apps);
    const first = await TestBridge.open(person, one);
    const second = await TestBridge.open(person, two);
    const stream = await TestPageStream.open(person);
    for (const [id, bridge] of [
      [1, first],
      [2, first],
      [3, second],
    ] as const)
      expect(await stream.put(bridge, { id, ...NOTES })).toMatchObject({ kind: "result", id });
    await first.call("data.create", { type: "note", data: { text: "a" } });
    await second.call("data.create", { type: "note", data: { text: "b" } });
    await expect.poll(() => stream.heard.length).toBe(3);
    expect(stream.heard.map(({ id, event }) => [id, event.data])).toEqual(
      expect.arrayContaining([
        [1, { text: "a" }],
        [2, { text: "a" }],
        [3, { text: "b" }],
      ]),
    );
    expect(await stream.take(first, 1)).toMatchObject({ kind: "result" });
    await first.call("data.create", { type: "note", data: { text: "c" } });
    await expect.poll(() => stream.heard.length).toBe(4);
    expect(stream.heard.at(-1)).toMatchObject({ id: 2, event: { data: { text: "c" } } });
    stream.close();
  });

  it("refuses what a call of its own would refuse, and an id that it has", async () => {
    const bridge = await TestBridge.open(
      person,
      await installApp(person, { id: "refused", scopes: ["objects:note"] }),
    );
    const stream = await TestPageStream.open(person);
    const refusal = async (request: object) => {
      const answer = await stream.put(bridge, { ...NOTES, id: 7, ...request });
      return answer.kind === "error" ? answer.error.code : answer.kind;
    };
    expect(await refusal({ params: { type: "person" } })).toBe("scope_missing");
    expect(await refusal({ params: {} })).toBe("invalid_arguments");
    expect(await refusal({ method: "data.list" })).toBe("invalid_arguments");
    expect(await refusal({})).toBe("result");
    expect(await refusal({})).toBe("invalid_arguments");
    stream.close();
  });

  it("takes nothing from others than the member who opened it, and nothing once it is over", async () => {
    const bridge = await TestBridge.open(
      person,
      await installApp(person, { id: "mine", scopes: ["objects:note"] }),
    );
    const stream = await TestPageStream.open(person);
    const other = await TestPerson.register(api);
    const theirs = await TestBridge.open(
      other,
      await installApp(other, { id: "theirs", scopes: ["objects:note"] }),
    );
    const isOver = { kind: "error", error: { code: "canceled", retryable: true } };
    expect(await stream.as(other).put(theirs, { id: 1, ...NOTES })).toMatchObject(isOver);
    expect(await stream.put(bridge, { id: 1, ...NOTES })).toMatchObject({ kind: "result" });
    stream.close();
    await expect
      .poll(async () => (await stream.put(bridge, { id: 2, ...NOTES })).kind, { timeout: 90_000 })
      .toBe("error");
  });

  it("is one of few that a member may have, until one of them is over", async () => {
    const busy = await TestPerson.register(api);
    const streams = await Promise.all(Array.from({ length: 16 }, () => TestPageStream.open(busy)));
    const path = `/api/orgs/${busy.orgId}/app-streams`;
    expect(await busy.call("POST", path, {})).toMatchObject({
      status: 429,
      body: { error: expect.stringContaining("16 streams") },
    });
    (await TestPageStream.open(person)).close();
    streams[0]?.close();
    await expect
      .poll(async () => (await TestPageStream.open(busy)).close(), { timeout: 90_000 })
      .toBeUndefined();
    for (const stream of streams) stream.close();
  });
});
