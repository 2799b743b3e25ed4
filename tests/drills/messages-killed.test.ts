import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { FakeGraphApi, type FakeNumber } from "../../testkit/fakes/messaging/graph-api.ts";
import { graphEnv } from "../../testkit/messaging.ts";
import { needs } from "../../testkit/needs.ts";
import type { ServerProcess } from "../../testkit/server-process.ts";
import { elapsed } from "./support/elapsed.ts";
import { Installation } from "./support/installation.ts";
import { MessageTraffic } from "./support/message-traffic.ts";
import { sizeOf } from "./support/sizes.ts";

const { contacts, each, kills } = sizeOf("messagesKilled");
const TOTAL = contacts * each;
const WORD = /m\d+of\d+/g;
/** How far a message is; a state that is not here is a step on the way back. */
const RANKS = ["queued", "sending", "unknown", "sent", "delivered", "read"];
/** Leases of what was killed run out, and its work is done by others. */
const DRAINED_WITHIN = { timeout: 120_000 + 240 * TOTAL, interval: 500 };

interface Process {
  readonly server: ServerProcess;
  readonly callbackUrl: string;
}
interface Row {
  readonly id: string;
  readonly thread_id: string;
  readonly direction: string;
  readonly status: string;
  readonly answered: boolean;
  readonly body: string | null;
  readonly wamid: string | null;
}

describe.runIf(needs("redis") && needs("postgres"))("processes of a WhatsApp number killed at random", () => {
  let parley: Installation;
  let graph: FakeGraphApi;
  let brain: TestBrain;
  let number: FakeNumber;
  let callbackPath = "";
  const processes: Process[] = [];
  beforeAll(async () => {
    graph = await FakeGraphApi.start();
    number = graph.addNumber();
    brain = await TestBrain.start((turn) => {
      turn.token(`You said: ${turn.request.query}`);
      turn.done();
    });
    parley = await Installation.start();
  });
  afterAll(async () => {
    brain.close();
    graph.close();
    await parley.remove();
  });

  it("answer each message once, keep conversations in order, and take no status back", {
    timeout: DRAINED_WITHIN.timeout + 120_000,
  }, async ({ annotate }) => {
    const first = await start();
    callbackPath = new URL(await connect()).pathname;
    processes.push(withPath(first), withPath(await start()));
    const traffic = new MessageTraffic(graph, number, () => processes.map(({ callbackUrl }) => callbackUrl));
    traffic.add(messages());
    const watch = watchStates();
    for (let kill = 0; kill < kills; kill++) {
      await elapsed(500 + 2_000 * Math.random());
      const [killed] = processes.splice(Math.floor(2 * Math.random()), 1);
      await killed?.server.kill();
      processes.push(withPath(await start()));
    }
    const open = async (): Promise<string> => {
      const { all, waiting } = await progress();
      return traffic.isDone && all === TOTAL && waiting === 0 ? "nothing" : `${waiting} of ${all}`;
    };
    await expect.poll(open, DRAINED_WITHIN).toBe("nothing");
    await traffic.stop();
    expect(await watch.backwards()).toEqual([]);

    const rows = await allRows();
    const answers = rows.filter(({ direction }) => direction === "out");
    const asked = rows.filter(({ direction }) => direction === "in");
    expect(asked).toHaveLength(TOTAL);
    const answered = answers.flatMap(({ body }) => body?.match(WORD) ?? []).sort();
    expect(answered).toEqual(asked.map(({ body }) => body).sort());
    const reached = graph.sent.flatMap(({ body }) => JSON.stringify(body).match(WORD) ?? []);
    expect(new Set(reached).size, "nothing reached a contact twice").toBe(reached.length);
    const isThere = new Set(graph.sent.map(({ body }) => body.biz_opaque_callback_data));
    // Killed before the request went out: nobody knows, so it is not sent again.
    const wrong = answers.filter(({ id, status }) => status !== (isThere.has(id) ? "read" : "unknown"));
    expect(wrong).toEqual([]);
    expectInOrder(rows);
    const lost = answers.length - graph.sent.length;
    await annotate(
      `${TOTAL} messages in ${traffic.posted} deliveries, ${kills} kills: ${answers.length} answers, ${lost} of unknown fate`,
    );
  });

  async function start(): Promise<{ server: ServerProcess; baseUrl: string }> {
    const server = await parley.startControlApi(graphEnv(graph));
    return { server, baseUrl: parley.apiUrl };
  }

  const withPath = ({ server, baseUrl }: { server: ServerProcess; baseUrl: string }): Process => ({
    server,
    callbackUrl: baseUrl + callbackPath,
  });

  /** Connects the number, with an agent that repeats what it hears; returns the webhook's address. */
  async function connect(): Promise<string> {
    const account = { email: "owner@acme.example", password: "correct horse battery staple" };
    const registered = await post("/api/auth/register", account);
    const { organization, tokens } = registered as {
      organization: { id: string };
      tokens: { accessToken: string };
    };
    const headers = { authorization: `Bearer ${tokens.accessToken}`, "x-org-id": organization.id };
    const agent = await post("/api/agents", { name: "Anna", brain: { url: brain.url } }, headers);
    const { phoneNumberId, businessAccountId, accessToken, appSecret } = number;
    const given = { phoneNumberId, businessAccountId, accessToken, appSecret, agentId: agent.id };
    const path = `/api/orgs/${organization.id}/whatsapp-cloud/channels`;
    const channel = await post(path, given, headers);
    return (channel.webhook as { callbackUrl: string }).callbackUrl;
  }

  async function post(
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    const answer = await fetch(parley.apiUrl + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { data: Record<string, unknown> }).data;
  }

  /** What the contacts write, a second apart. */
  function messages(): unknown[] {
    const startSecs = Math.floor(Date.now() / 1_000) - each;
    return Array.from({ length: contacts }, (_, contact) =>
      Array.from({ length: each }, (_, nr) =>
        graph.inbound(number, String(31_600_000_000 + contact), {
          timestamp: String(startSecs + nr),
          type: "text",
          text: { body: `m${nr}of${contact}` },
        }),
      ),
    ).flat();
  }

  async function allRows(): Promise<Row[]> {
    return parley.database.db
      .selectFrom("messaging_messages")
      .select(["id", "thread_id", "direction", "status", "answered", "body", "wamid"])
      .orderBy("sent_at")
      .orderBy("arrived")
      .execute();
  }

  async function progress(): Promise<{ all: number; waiting: number }> {
    const rows = await allRows();
    const isOpen = ({ direction, answered, status }: Row): boolean =>
      direction === "in" ? !answered : status === "queued" || status === "sending";
    return {
      all: rows.filter(({ direction }) => direction === "in").length,
      waiting: rows.filter(isOpen).length,
    };
  }

  /** Looks at the states all the time; `backwards` ends it. */
  function watchStates(): { backwards: () => Promise<string[]> } {
    const seen = new Map<string, string>();
    const backwards: string[] = [];
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        for (const { id, direction, status } of await allRows()) {
          if (direction === "in") continue;
          const before = seen.get(id);
          if (before !== undefined && !mayFollow(before, status)) backwards.push(`${before}, then ${status}`);
          seen.set(id, status);
        }
        await elapsed(250);
      }
    })();
    return {
      backwards: async () => {
        isOver = true;
        await watching;
        return backwards;
      },
    };
  }

  /** A request that certainly was not taken is made again. */
  function mayFollow(before: string, status: string): boolean {
    return (before === "sending" && status === "queued") || RANKS.indexOf(status) >= RANKS.indexOf(before);
  }

  /** Each contact's messages are as they were written, and the answers came as they are listed. */
  function expectInOrder(rows: readonly Row[]): void {
    const places = new Map(graph.sent.map(({ body }, at) => [String(body.biz_opaque_callback_data), at]));
    for (const threadId of new Set(rows.map(({ thread_id }) => thread_id))) {
      const thread = rows.filter(({ thread_id }) => thread_id === threadId);
      const asked = thread.flatMap(({ direction, body }) =>
        direction === "in" ? [Number.parseInt(body?.slice(1) ?? "", 10)] : [],
      );
      expect(asked).toEqual(asked.toSorted((one, other) => one - other));
      const sent = thread.flatMap(({ id }) => places.get(id) ?? []);
      expect(sent).toEqual(sent.toSorted((one, other) => one - other));
    }
  }
});
