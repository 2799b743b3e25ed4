import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TestCaller } from "../../../testkit/caller.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import { attack } from "./attack.ts";

/** Of searches, and of sessions that are made. */
const SIDE_BY_SIDE = 25;
const WEBHOOKS = 20;
const DRIP_EVERY_MS = 200;
const POISON = ["nul \u0000 end", "half a pair \ud800", "\ufffe\uffff\u202e", "9".repeat(400)];

export interface Brains {
  /** By path: `/good` answers, `/missing` is 404, `/hangs` says nothing. */
  urlOf(path: string): string;
  close(): void;
}

/** One host with the brains of several organizations. */
export async function startBrains(): Promise<Brains> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.startsWith("/missing")) response.writeHead(404).end();
    else if (request.url?.startsWith("/good")) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: "I hear you."\n\ndata: [DONE]\n\n');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    close: () => void server.close().closeAllConnections(),
  };
}

/** Receivers at one host: `/calm` answers at once, everything else a byte now and then. */
export async function startReceivers(): Promise<TestReceiver> {
  return TestReceiver.answering((response, { path }) => {
    if (path === "/calm") {
      response.writeHead(200).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/plain" });
    const drip = setInterval(() => response.write("."), DRIP_EVERY_MS);
    response.once("close", () => clearInterval(drip));
  });
}

export type Ask = (org: TestOrganization, method: string, path: string, body?: unknown) => Promise<Response>;

export interface Hostility {
  readonly ask: Ask;
  /** Whose brain is missing, and whose hangs; both drip, poison and search. */
  readonly orgs: readonly TestOrganization[];
  readonly receivers: TestReceiver;
  readonly sessions: number;
  /** For sockets that read nothing. */
  readonly deafMs: number;
}

/** Does everything at once until it is stopped, sessions until all are made; `stop` tells how often each was done. */
export function beHostile({ ask, orgs, receivers, sessions, deafMs }: Hostility): {
  sessionsLeft: () => number;
  stop: () => Promise<Record<string, number>>;
} {
  const counts: Record<string, number> = {};
  let isOver = false;
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const again = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    while (!isOver) {
      // Whether it is refused is its own trouble; so is how.
      await work().catch(() => undefined);
      count(what);
    }
  };
  const sessionUrl = async (org: TestOrganization): Promise<string> => {
    const response = await ask(org, "POST", "/api/sessions/init-web-call", { agentId: org.agentId });
    return ((await response.json()) as { data: { websocketUrl: string } }).data.websocketUrl;
  };
  const search = async (org: TestOrganization): Promise<void> => {
    const found = await ask(org, "GET", `/api/orgs/${org.orgId}/calls?text=nobody-said-this`);
    await found.text();
    if (found.ok) count("found");
  };
  const work = orgs.flatMap((org) => [
    ...Array.from({ length: WEBHOOKS }, (_, i) =>
      ask(org, "POST", `/api/orgs/${org.orgId}/webhooks`, { url: `${receivers.url}/drip/${i}` }),
    ),
    ...Array.from({ length: SIDE_BY_SIDE }, () => again("searches", () => search(org))),
    again("poison texts", async () => {
      const caller = await TestCaller.start(await sessionUrl(org));
      for (const text of POISON) caller.send({ type: "text", text });
      await caller.next("transcript", ({ role }) => role === "user", 5_000).catch(() => undefined);
      caller.send({ type: "hangup" });
      await caller.untilClosed();
    }),
    again("deaf sockets", async () => attack("deaf", await sessionUrl(org), deafMs)),
  ]);
  let left = sessions;
  const [first] = orgs;
  const making = Array.from({ length: SIDE_BY_SIDE }, async () => {
    while (!isOver && first && left > 0) {
      left -= 1;
      await sessionUrl(first).catch(() => undefined);
      count("sessions");
    }
  });
  return {
    sessionsLeft: () => left,
    stop: async () => {
      isOver = true;
      await Promise.allSettled([...work, ...making]);
      return counts;
    },
  };
}
