import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { createOrganization, type TestOrganization } from "../../testkit/organization.ts";
import type { TestReceiver } from "../../testkit/receiver.ts";
import { DrillCall } from "./support/drill-call.ts";
import { type Ask, type Brains, beHostile, startBrains, startReceivers } from "./support/hostile-tenant.ts";
import { Installation } from "./support/installation.ts";
import { sizeOf } from "./support/sizes.ts";

const QUESTIONS = ["Can you hear me?", "And now?", "Thank you."];
/** Ten thousand sessions take minutes. */
const DRILL = { timeout: 900_000 };
const QUIET = { silence: { promptAfterMs: 0, hangupAfterMs: 0 } };
/** How much slower the calm one may be beside the others, whose work is on the same cores as its own. */
const MAX_RATIO = 10;
/** What no ratio is made of: less than this is a good answer. */
const GOOD_MS = 500;

/** What the calm organization saw of its calls. */
interface Seen {
  readonly answeredMs: readonly number[];
  readonly records: readonly unknown[];
  readonly ended: readonly unknown[];
}

describe.runIf(needs("redis") && needs("postgres"))("A hostile organization beside a calm one", () => {
  let parley: Installation;
  let brains: Brains;
  let receivers: TestReceiver;
  let calm: TestOrganization;
  let hostile: TestOrganization[];
  beforeAll(async () => {
    parley = await Installation.start();
    await parley.startControlApi();
    await parley.startGateway();
    [brains, receivers] = await Promise.all([startBrains(), startReceivers()]);
    const withBrain = (path: string) =>
      createOrganization(parley.database, { brain: { url: brains.urlOf(path) }, ...QUIET });
    calm = await withBrain("/good");
    hostile = await Promise.all(["/missing", "/hangs"].map(withBrain));
    const url = `${receivers.url}/calm`;
    const events = ["call.ended"];
    const path = `/api/orgs/${calm.orgId}/webhooks`;
    const created = await ask(calm, "POST", path, { url, events, includeTranscript: true });
    expect(created.status).toBe(201);
  }, DRILL.timeout);
  afterAll(async () => {
    brains.close();
    await receivers.close();
    await parley.remove();
  });

  const ask: Ask = (org, method, path, body) =>
    fetch(parley.apiUrl + path, {
      method,
      headers: { "x-api-key": org.keys.owner, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  /** A call of the calm organization with every question; gives what it saw. */
  async function talk(): Promise<{ sessionId: string; answeredMs: number[] }> {
    const placed = await ask(calm, "POST", "/api/sessions/init-web-call", { agentId: calm.agentId });
    expect(placed.status).toBe(200);
    const { data } = (await placed.json()) as { data: { sessionId: string; websocketUrl: string } };
    const call = await DrillCall.start(data);
    const answeredMs: number[] = [];
    for (const question of QUESTIONS) {
      const askedMs = performance.now();
      await call.ask(question);
      answeredMs.push(performance.now() - askedMs);
    }
    expect((await call.hangUp()).code).toBe(1000);
    return { sessionId: call.sessionId, answeredMs };
  }

  async function talkAll(calls: number): Promise<Seen> {
    const talked = await Promise.all(Array.from({ length: calls }, talk));
    const ended = (): unknown[] =>
      talked.map(({ sessionId }) =>
        receivers.received.find((hook) => hook.path === "/calm" && hook.body.includes(sessionId)),
      );
    await expect.poll(() => ended().every(Boolean), { timeout: 60_000 }).toBe(true);
    const records = await Promise.all(
      talked.map(async ({ sessionId }) =>
        contentOf(await (await ask(calm, "GET", `/api/v1/calls/${sessionId}`)).json()),
      ),
    );
    return {
      answeredMs: talked.flatMap(({ answeredMs }) => answeredMs),
      records,
      ended: ended().map((hook) => transcriptOf((hook as { body: string }).body)),
    };
  }

  it("leaves its calls, records, webhooks and delays as they are without it", DRILL, async () => {
    const { calls, sessions, deafMs } = sizeOf("hostileTenant");
    const alone = await talkAll(calls);
    const hostility = beHostile({ ask, orgs: hostile, receivers, sessions, deafMs });
    await expect
      .poll(() => receivers.received.some(({ path }) => path.startsWith("/drip")), { timeout: 90_000 })
      .toBe(true);
    const rounds = [await talkAll(calls)];
    while (hostility.sessionsLeft() > 0) rounds.push(await talkAll(calls));
    const counts = await hostility.stop();

    for (const beside of rounds) {
      expect(beside.records).toEqual(alone.records);
      expect(beside.ended).toEqual(alone.ended);
    }
    const besideAllMs = rounds.flatMap(({ answeredMs }) => answeredMs);
    const [aloneMs, besideMs] = [median(alone.answeredMs), median(besideAllMs)];
    console.info(
      `answered after ${Math.round(aloneMs)} ms alone, ${Math.round(besideMs)} ms beside (ratio ${(besideMs / aloneMs).toFixed(2)}), ${JSON.stringify(counts)}`,
    );
    expect(besideMs).toBeLessThan(MAX_RATIO * Math.max(aloneMs, GOOD_MS));
    expect(counts.sessions).toBe(sessions);
    for (const what of ["searches", "found", "poison texts", "deaf sockets"])
      expect(counts[what]).toBeGreaterThan(0);
  });
});

/** What a call's record says that does not depend on when it was. */
function contentOf(record: unknown): unknown {
  const { status, endReason, transcript } = record as Record<string, unknown>;
  return { status, endReason, said: (transcript as Line[]).map(asText) };
}

function transcriptOf(body: string): unknown {
  const { messageCount, endReason, transcript } = JSON.parse(body) as Record<string, unknown>;
  return { messageCount, endReason, said: (transcript as Line[]).map(asText) };
}

interface Line {
  readonly role: string;
  readonly text: string;
}

function asText({ role, text }: Line): string {
  return `${role}: ${text}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
