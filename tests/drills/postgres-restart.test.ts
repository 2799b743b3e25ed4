import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { PostgresServer } from "../../testkit/postgres-server.ts";
import { elapsed } from "./support/elapsed.ts";
import { expectRecordedOnce } from "./support/expect-recorded.ts";
import { Installation } from "./support/installation.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";
import { untilCaughtUp } from "./support/until-caught-up.ts";

/** The API notices by its next request; the rest is patience. */
const NOTICED_WITHIN_MS = 60_000;

describe.runIf(needs("redis") && needs("postgresServer"))("Postgres restarted while calls end", () => {
  let postgres: PostgresServer;
  let parley: Installation;
  beforeAll(async () => {
    postgres = await PostgresServer.start();
    parley = await Installation.start({ databaseUrl: postgres.url });
    await parley.startControlApi();
    await parley.startGateway();
  });
  afterAll(async () => {
    await parley.remove();
    await postgres.remove();
  });

  /** Asks the API about a call until `over`; gives every status it answered. */
  async function statusesUntil(over: Promise<unknown>, sessionId: string): Promise<Set<number>> {
    const statuses = new Set<number>();
    let isOver = false;
    const ended = over.finally(() => {
      isOver = true;
    });
    const asking = async (): Promise<void> => {
      while (!isOver) statuses.add(await statusOf(`/api/v1/calls/${sessionId}`));
    };
    await Promise.all([ended, asking()]);
    return statuses;
  }

  async function statusOf(path: string): Promise<number> {
    const response = await parley.request("GET", path);
    await response.arrayBuffer();
    return response.status;
  }

  it("ends no call, loses no end, and is noticed by the API only", DRILL, async () => {
    const { calls: count, awayMs } = sizeOf("postgresRestart");
    const calls = await parley.calls(count);
    const ending = calls.slice(0, count / 2);
    const staying = calls.slice(count / 2);
    await Promise.all(calls.map((call) => call.ask("Can you hear me?")));
    const path = `/api/v1/calls/${calls[0]?.sessionId}`;

    const outage = async (): Promise<void> => {
      // The first ends are being written while the database goes, the rest come when it is away.
      const [first, ...rest] = ending.map((call) => () => call.hangUp());
      const closed = [first?.()];
      await postgres.stop();
      closed.push(...rest.map((hangUp) => hangUp()));
      expect(new Set((await Promise.all(closed)).map((one) => one?.code))).toEqual(new Set([1000]));
      await expect.poll(() => statusOf(path), { timeout: NOTICED_WITHIN_MS }).toBe(503);
      const refused = await parley.request("POST", "/api/sessions/init-web-call", {
        agentId: parley.agentId,
      });
      expect({ status: refused.status, retryAfter: refused.headers.get("retry-after") }).toEqual({
        status: 503,
        retryAfter: "2",
      });
      expect([await statusOf("/readyz"), await statusOf("/healthz")]).toEqual([503, 200]);
      await Promise.all(staying.map((call) => call.ask("And now?")));
      await elapsed(awayMs);
      await postgres.restart();
      await expect.poll(() => statusOf(path), { timeout: NOTICED_WITHIN_MS }).toBe(200);
    };
    expect([...(await statusesUntil(outage(), calls[0]?.sessionId ?? ""))].toSorted()).toEqual([200, 503]);

    const fresh = await parley.call();
    await Promise.all([...staying, fresh].map((call) => call.ask("And after it?")));
    await Promise.all([...staying, fresh].map((call) => call.hangUp()));
    await untilCaughtUp(parley);
    await expectRecordedOnce(parley, [...calls, fresh]);
    expect(await statusOf("/readyz")).toBe(200);
  });
});
