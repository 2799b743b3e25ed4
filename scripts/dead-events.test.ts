import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { CALL_EVENTS_STREAM } from "@parley/shared/contracts/call-events.ts";
import { DEAD_EVENTS_STREAM } from "@parley/shared/contracts/dead-events.ts";
import { createLogger } from "@parley/shared/log.ts";
import { describe, expect, it } from "vitest";
import { DurableRedis } from "../testkit/durable-redis.ts";
import { needs } from "../testkit/needs.ts";

const SCRIPT = join(import.meta.dirname, "dead-events.ts");
const run = promisify(execFile);

describe.runIf(needs("redis"))("npx node scripts/dead-events.ts", () => {
  it("lists, shows, mends, replays and drops what was put aside", async () => {
    const redis = await DurableRedis.start();
    const log = createLogger({ level: "silent", format: "json", name: "test" });
    const bus = await connectRedisBus({ url: redis.url, log, keyPrefix: "second:" });
    const { streams } = bus;
    const env = { PATH: process.env.PATH ?? "", REDIS_URL: redis.url, REDIS_PREFIX: "second:" };
    const ask = async (...args: string[]) => (await run(process.execPath, [SCRIPT, ...args], { env })).stdout;
    const about = { id: "evt_1", sessionId: "ses_1", orgId: "org_1", seq: 0, at: "2026-11-22T10:00:00.000Z" };
    const event = { ...about, type: "call.dtmf", digit: "x" };
    const dead = { at: about.at, reason: "no such key\nand more", tries: 3, entryId: "1-0" };
    for (const payload of [JSON.stringify(event), "no event"])
      await streams.append(DEAD_EVENTS_STREAM, JSON.stringify({ ...dead, payload }));
    const listed = (await ask("list")).split("\n");
    expect(listed).toEqual([
      expect.stringMatching(/^\d+-0 {2}2026.* {2}call.dtmf ses_1 org_1 {2}tries 3 {2}no such key$/),
      expect.stringContaining("(no event)"),
      "2 events",
      "",
    ]);
    const [id = "", other = ""] = listed.map((line) => line.split(" ")[0] ?? "");
    expect(JSON.parse(await ask("show", id))).toMatchObject({ deadId: id, tries: 3, event });
    await expect(ask("replay", id)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("digit"),
    });
    await expect(ask("replay", id, "--set", "digit=5x")).rejects.toMatchObject({
      stderr: expect.stringContaining("is not JSON"),
    });
    await expect(ask("replay", "all", "--set", 'orgId="org_2"')).rejects.toMatchObject({
      stderr: expect.stringContaining("each event has its own"),
    });
    await ask("replay", id, "--set", 'digit="5"');
    const replayed = await streams.list(CALL_EVENTS_STREAM, { count: 10 });
    expect(replayed.map(({ payload }) => JSON.parse(payload))).toEqual([{ ...event, digit: "5" }]);
    await ask("drop", other);
    expect(await ask("list")).toBe("0 events\n");
    await expect(ask("show", other)).rejects.toMatchObject({ code: 1 });
    await expect(ask("bury")).rejects.toMatchObject({ stderr: expect.stringContaining("Usage") });
    await bus.close();
    await redis.remove();
  });

  it("lists and replays what can be read beside what can not, and names that", async () => {
    const redis = await DurableRedis.start();
    const log = createLogger({ level: "silent", format: "json", name: "test" });
    const bus = await connectRedisBus({ url: redis.url, log });
    const env = { PATH: process.env.PATH ?? "", REDIS_URL: redis.url };
    const ask = (...args: string[]) => run(process.execPath, [SCRIPT, ...args], { env });
    const at = "2026-11-22T10:00:00.000Z";
    const event = {
      id: "evt_1",
      sessionId: "ses_1",
      orgId: "org_1",
      seq: 0,
      at,
      type: "call.dtmf",
      digit: "5",
    };
    const dead = { at, reason: "a lock", tries: 60, entryId: "1-0", payload: JSON.stringify(event) };
    for (const entry of ["{cut off", '{"of":"another version"}', JSON.stringify(dead)])
      await bus.streams.append(DEAD_EVENTS_STREAM, entry);
    const lines = (await ask("list")).stdout.split("\n");
    expect(lines).toEqual([
      expect.stringMatching(
        /^\d+-\d+ {2}20.* {2}\(no event\) {2}tries 0 {2}this entry cannot be read: .*JSON/,
      ),
      expect.stringContaining("this entry cannot be read"),
      expect.stringContaining("call.dtmf ses_1 org_1  tries 60  a lock"),
      "3 events",
      "",
    ]);
    const ids = lines.map((line) => line.split(" ")[0] ?? "");
    await expect(ask("replay", "all")).rejects.toMatchObject({
      code: 1,
      stdout: `${ids[2]} was handed to the event projector\n`,
      stderr: expect.stringContaining(`${ids[0]} is no call event as it stands`),
    });
    const left = await bus.streams.list(DEAD_EVENTS_STREAM, { count: 10 });
    expect(left.map(({ entryId }) => entryId)).toEqual(ids.slice(0, 2));
    await bus.close();
    await redis.remove();
  });

  it("says what is missing without Redis", async () => {
    const asked = run(process.execPath, [SCRIPT, "list"], { env: { PATH: process.env.PATH ?? "" } });
    await expect(asked).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("REDIS_URL") });
  });
});
