import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { CALL_EVENTS_STREAM } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../../testkit/needs.ts";
import type { ServerProcess } from "../../testkit/server-process.ts";
import { elapsed } from "./support/elapsed.ts";
import { HookCounter } from "./support/hook-counter.ts";
import { Installation } from "./support/installation.ts";
import { sizeOf } from "./support/sizes.ts";

const ENDPOINTS = 20;
const BETWEEN_KILLS_MS = { least: 200, most: 1_500 };
/** As many a second as two processes just deliver, so that they die with much in hand. */
const RAISE_EVERY_MS = 8;
/** The leases of what was killed run out, and its last deliveries are made. */
const DRAINED_WITHIN_MS = 240_000;
const DRILL = { timeout: 600_000 };

describe.runIf(needs("redis") && needs("postgres"))("Control APIs killed while they deliver webhooks", () => {
  let parley: Installation;
  beforeAll(async () => {
    parley = await Installation.start();
  });
  afterAll(() => parley.remove());

  it("deliver every event to every endpoint at least once, and starve none", DRILL, async ({ annotate }) => {
    const { events, kills } = sizeOf("webhooksKilled");
    const paths = Array.from({ length: ENDPOINTS }, (_, i) => `/endpoint/${i}`);
    const counter = await HookCounter.start(paths);
    onTestFinished(() => counter.close());
    const servers = [await parley.startControlApi(), await parley.startControlApi()];
    await parley.startGateway();
    for (const path of paths) await register(counter.urlOf(path));
    const { sessionId } = await parley.createSession();

    const raised = raise(sessionId, events);
    const leastShare = leastShareAtHalf(counter, events * ENDPOINTS);
    await killAtRandom(servers, kills);
    await raised;
    const distinct = () => counter.distinct;
    await expect
      .poll(distinct, { timeout: DRAINED_WITHIN_MS, interval: 250 })
      .toEqual(paths.map(() => events));

    expect(await leastShare).toBeGreaterThan(0.25);
    const duplicates = counter.received - events * ENDPOINTS;
    await annotate(
      `${events} events to ${ENDPOINTS} endpoints, ${kills} kills: ${duplicates} of ${counter.received} were duplicates ` +
        `(${((100 * duplicates) / counter.received).toFixed(2)} %)`,
    );
  });

  async function register(url: string): Promise<void> {
    const body = { url, events: ["call.dtmf"] };
    const response = await parley.request("POST", `/api/orgs/${parley.orgId}/webhooks`, body);
    expect(response.status).toBe(201);
  }

  /** Keys pressed in a call, as its gateway would tell, each at a time of its own. */
  async function raise(sessionId: string, count: number): Promise<void> {
    const log = createLogger({ level: "silent", format: "json", name: "drill" });
    const bus = await connectRedisBus({ url: parley.redis.url, log });
    const startMs = Date.now();
    for (let seq = 0; seq < count; seq++) {
      const at = new Date(startMs + seq).toISOString();
      const event = {
        id: newId("evt"),
        sessionId,
        orgId: parley.orgId,
        seq,
        at,
        type: "call.dtmf",
        digit: "1",
      };
      await bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(event));
      await elapsed(RAISE_EVERY_MS);
    }
    await bus.close();
  }

  /** One of the two dies and is started again, and then one of the two dies. */
  async function killAtRandom(servers: ServerProcess[], kills: number): Promise<void> {
    const { least, most } = BETWEEN_KILLS_MS;
    for (let i = 0; i < kills; i++) {
      await elapsed(least + Math.random() * (most - least));
      const which = Math.random() < 0.5 ? 0 : 1;
      await servers[which]!.kill();
      servers[which] = await parley.startControlApi();
    }
  }

  /** When half of everything has come: how much of its half the endpoint has that got least. */
  async function leastShareAtHalf(counter: HookCounter, total: number): Promise<number> {
    await expect
      .poll(() => counter.received, { timeout: DRAINED_WITHIN_MS, interval: 20 })
      .toBeGreaterThanOrEqual(total / 2);
    return Math.min(...counter.distinct) / (total / ENDPOINTS / 2);
  }
});
