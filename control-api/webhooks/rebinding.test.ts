import type { LookupAddress } from "node:dns";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer, isIP } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { TestOrganization } from "../../testkit/organization.ts";
import { TestReceiver } from "../../testkit/receiver.ts";
import { selfSigned } from "../../testkit/self-signed.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

const PUBLIC = "93.184.215.14";
/** Opened for this test, in the place of a public one that answers. */
const OPENED = "127.0.0.1";
const INSIDE = "127.0.0.2";

let webhooks: TestWebhooks;
let organization: TestOrganization;
/** What the name answers, lookup by lookup; an error where a code stands. The last stays. */
let answers: string[];
let asked: string[];
beforeAll(async () => {
  webhooks = await TestWebhooks.start({ allowPrivateTargets: [`${OPENED}/32`], resolve });
});
afterAll(() => webhooks.close());
beforeEach(async () => {
  asked = [];
  organization = await webhooks.api.createOrganization();
});

async function resolve(host: string): Promise<LookupAddress[]> {
  asked.push(host);
  const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? "";
  if (/^E[A-Z_]+$/.test(answer)) throw Object.assign(new Error(`getaddrinfo ${answer}`), { code: answer });
  return answer.split(" ").map((address) => ({ address, family: isIP(address) }));
}

/** Registers `url`, raises an event for it, and gives what shows how that went. */
async function raise(url: string) {
  const { orgId, keys } = organization;
  const body = { url };
  const created = await webhooks.api.call("POST", `/api/orgs/${orgId}/webhooks`, { key: keys.owner, body });
  expect(created.status).toBe(201);
  const { id } = created.body.data as { id: string };
  await webhooks.press(await webhooks.startCall(organization), orgId);
  return {
    delivery: async () => (await webhooks.deliveries(organization, id))[0],
    endpoint: () => webhooks.read(organization, id),
    retry: async () => {
      webhooks.clock.pass(10_000);
      await webhooks.api.bus.channels.publish("webhooks-due", "");
    },
  };
}

/** Counts who connects to a port of this machine, whatever they speak. */
async function listen(): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, done));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

async function receive(answer: Parameters<typeof TestReceiver.answering>[0] = 200) {
  const receiver = await TestReceiver.answering(answer);
  onTestFinished(() => receiver.close());
  return { receiver, url: receiver.url.replace("127.0.0.1", "hooks.example") };
}

const BLOCKED = "the url leads to a private or reserved address";
const GONE = "the url's host name no longer exists";

describe("a name that was public when it was registered", () => {
  it.each([
    ["leads inside at the attempt", INSIDE, BLOCKED],
    ["leads to the metadata of a cloud", "169.254.169.254", BLOCKED],
    ["leads inside with one address of several", `${PUBLIC} ${INSIDE}`, BLOCKED],
    ["leads inside with its other family", `${PUBLIC} ::1`, BLOCKED],
    ["leads inside through IPv6", "::ffff:127.0.0.2", BLOCKED],
    ["has stopped resolving", "ENOTFOUND", GONE],
  ])("and %s is not called, and its endpoint is disabled", async (_what, then, reason) => {
    answers = [PUBLIC, then];
    const inside = await listen();
    const { delivery, endpoint } = await raise(`https://hooks.example:${inside.port}/`);
    await expect.poll(delivery).toMatchObject({ status: "dead", attempts: 1, error: reason });
    expect(await endpoint()).toMatchObject({ enabled: false, last_error: reason });
    expect(inside.connections()).toBe(0);
  });

  it("and leads inside at a later attempt is not called again, and its endpoint is disabled", async () => {
    answers = [OPENED];
    const { receiver, url } = await receive((response) =>
      response.writeHead(500, { connection: "close" }).end(),
    );
    const { delivery, endpoint, retry } = await raise(url);
    await expect.poll(delivery).toMatchObject({ status: "failed", attempts: 1 });
    answers = [INSIDE];
    await retry();
    await expect.poll(delivery).toMatchObject({ status: "dead", attempts: 2, error: BLOCKED });
    expect(await endpoint()).toMatchObject({ enabled: false, last_error: BLOCKED });
    expect(receiver.received).toHaveLength(1);
  });

  it.each(["EAI_AGAIN", "ESERVFAIL"])(
    "and is unknown for a moment (%s) is tried again, and delivered",
    async (code) => {
      answers = [OPENED, code];
      const { receiver, url } = await receive();
      const { delivery, endpoint, retry } = await raise(url);
      const error = `the url's name could not be looked up (${code})`;
      await expect.poll(delivery).toMatchObject({ status: "failed", attempts: 1, error });
      answers = [OPENED];
      await retry();
      await expect.poll(delivery).toMatchObject({ status: "delivered", attempts: 2, error: null });
      expect(await endpoint()).toMatchObject({ enabled: true, last_error: null });
      expect(receiver.received).toHaveLength(1);
    },
  );
});

describe("an attempt", () => {
  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://metadata.google.internal/",
    "https://127.0.0.1/",
  ])("does not follow a redirect to %s", async (location) => {
    answers = [OPENED];
    const { receiver, url } = await receive((response) => response.writeHead(307, { location }).end());
    const { delivery } = await raise(url);
    await expect.poll(delivery).toMatchObject({ status: "failed", responseStatus: 307 });
    expect(receiver.received).toHaveLength(1);
    expect(new Set(asked)).toEqual(new Set(["hooks.example"]));
  });

  it.each(["1", "0"])(
    "never trusts a certificate that nobody vouches for (NODE_TLS_REJECT_UNAUTHORIZED=%s)",
    async (value) => {
      vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", value);
      onTestFinished(() => void vi.unstubAllEnvs());
      answers = [OPENED];
      let requests = 0;
      const server = createTlsServer(await selfSigned("hooks.example"), (_request, response) => {
        requests += 1;
        response.end();
      });
      await new Promise<void>((done) => server.listen(0, OPENED, done));
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const { delivery, endpoint } = await raise(`https://hooks.example:${port}/`);
      const error = "the receiver's certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)";
      await expect.poll(delivery).toMatchObject({ status: "failed", attempts: 1, error });
      expect(await endpoint()).toMatchObject({ enabled: true });
      expect(requests).toBe(0);
    },
  );
});
