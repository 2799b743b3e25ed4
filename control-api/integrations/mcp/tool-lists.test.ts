import type { Client } from "@modelcontextprotocol/client";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { expect, it } from "vitest";
import { ToolLists } from "./tool-lists.ts";
import { targetOf } from "./verify.ts";

const shop = targetOf({ orgId: "org_1", url: "https://shop.example/mcp" });
const found = (...names: string[]) => names.map((name) => expect.objectContaining({ name }));

/** A server whose tools are `has.names`, which it allows to be kept for `has.ttlMs`; undefined names: it is away. */
function open(has: { names?: string[] | undefined; ttlMs?: number }) {
  const clock = new ManualClock();
  let listed = 0;
  const listTools = async () => {
    listed += 1;
    if (!has.names) throw new Error("away");
    const tools = has.names.map((name) => ({ name, inputSchema: { type: "object" as const } }));
    return { tools, ...(has.ttlMs === undefined ? {} : { ttlMs: has.ttlMs }) };
  };
  const session = {
    client: { listTools } as unknown as Client,
    challenge: () => undefined,
    end: async () => undefined,
  };
  const lists = new ToolLists({ use: (_target, _limits, work) => work(session) }, clock);
  return { clock, lists, has, listed: () => listed };
}

it("are listed once, however many ask at once or later", async () => {
  const { lists, listed } = open({ names: ["find"] });
  const all = await Promise.all([lists.of(shop), lists.of(shop), lists.of(shop)]);
  expect(all).toEqual([found("find"), found("find"), found("find")]);
  await lists.of(shop);
  expect(listed()).toBe(1);
});

it.each([
  ["ten minutes without its word", undefined, 10 * 60_000],
  ["the time that the server allows", 120_000, 120_000],
  ["half a minute at least", 0, 30_000],
  ["an hour at most", 10 * 60 * 60_000, 60 * 60_000],
])("are kept for %s", async (_what, ttlMs, keptMs) => {
  const { lists, clock, listed } = open({ names: ["find"], ...(ttlMs === undefined ? {} : { ttlMs }) });
  await lists.of(shop);
  clock.advance(keptMs - 1);
  await lists.of(shop);
  expect(listed()).toBe(1);
  clock.advance(1);
  await lists.of(shop);
  expect(listed()).toBe(2);
});

it("are what was kept while they are listed again", async () => {
  const { lists, clock, has } = open({ names: ["find"] });
  await lists.of(shop);
  has.names = ["move"];
  clock.advance(10 * 60_000);
  expect(await lists.of(shop)).toEqual(found("find"));
  await expect.poll(() => lists.of(shop)).toEqual(found("move"));
});

it("stay what they were while the server is away, which is asked again after half a minute", async () => {
  const { lists, clock, has, listed } = open({ names: undefined });
  expect(await lists.of(shop)).toBeUndefined();
  expect(await lists.of(shop)).toBeUndefined();
  expect(listed()).toBe(1);
  clock.advance(30_000);
  has.names = ["find"];
  expect(await lists.of(shop)).toEqual(found("find"));
  has.names = undefined;
  clock.advance(10 * 60_000);
  await lists.of(shop);
  expect(await lists.of(shop)).toEqual(found("find"));
});

it("of one organization, or principal, are nobody else's", async () => {
  const { lists, listed } = open({ names: ["find"] });
  await lists.of(shop);
  await lists.of({ ...shop, orgId: "org_2" });
  await lists.of({ ...shop, principal: "mcp_1" });
  expect(listed()).toBe(3);
});
