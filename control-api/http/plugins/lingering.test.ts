import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "@parley/shared/clock.ts";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { lingeringPlugin } from "./lingering.ts";

const MIB = 1024 * 1024;
/** Each race with the kernel's buffers is run so often: without the mend about half of them are lost. */
const TIMES = 6;

let api: TestControlApi;
beforeAll(async () => {
  api = await TestControlApi.start();
});
afterAll(() => api.close());

interface Target {
  readonly path: string;
  readonly type: string;
  readonly bytes: number;
  readonly key?: string;
  readonly limit: string;
}
interface Refusal {
  readonly status: number;
  readonly text: string;
}

const login: Target = {
  path: "/api/auth/login",
  type: "application/json",
  bytes: 5 * MIB,
  limit: "at most 256 KiB",
};

async function track(): Promise<Target> {
  const { orgId, keys } = await api.createOrganization();
  const path = `/api/orgs/${orgId}/ambient-tracks?name=long`;
  return { path, type: "audio/wav", bytes: 60 * MIB, key: keys.owner, limit: "at most 10 MiB" };
}

function headersOf({ type, key }: Target): Record<string, string> {
  return { "content-type": type, ...(key === undefined ? {} : { "x-api-key": key }) };
}
const addressOf = ({ path }: Target): string => `http://127.0.0.1:${api.api.port}${path}`;

/** In a process of its own: beside the server, in one event loop, a client has written all before it is answered. */
async function inProcess(send: string, target: Target): Promise<Refusal> {
  const asked = { url: addressOf(target), headers: headersOf(target), bytes: target.bytes };
  const program = `
    import { Agent, request } from "node:http";
    const { url, headers, bytes } = ${JSON.stringify(asked)};
    const body = Buffer.alloc(bytes, "a");
    const withHttp = (keepAlive) => new Promise((resolve, reject) => {
      const outgoing = request(url, { method: "POST", headers, agent: new Agent({ keepAlive }) });
      outgoing.on("error", reject).on("response", async (response) => {
        let text = "";
        for await (const chunk of response) text += String(chunk);
        resolve({ status: response.statusCode, text });
      });
      outgoing.end(body);
    });
    const withFetch = async () => {
      const response = await fetch(url, { method: "POST", headers, body });
      return { status: response.status, text: await response.text() };
    };
    console.log(JSON.stringify(await ${send}));
    process.exit(0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  return JSON.parse(stdout) as Refusal;
}

async function withCurl(target: Target): Promise<Refusal> {
  const file = join(api.dataDir, `body-${target.bytes}`);
  await writeFile(file, Buffer.alloc(target.bytes, "a"));
  const headers = Object.entries(headersOf(target)).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const args = ["-sS", "-w", "\n%{http_code}", ...headers, "--data-binary", `@${file}`, addressOf(target)];
  const { stdout } = await promisify(execFile)("curl", args);
  const at = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(at)), text: stdout.slice(0, at) };
}

const CLIENTS: Readonly<Record<string, (target: Target) => Promise<Refusal>>> = {
  fetch: (target) => inProcess("withFetch()", target),
  "node:http": (target) => inProcess("withHttp(false)", target),
  "node:http with keep-alive": (target) => inProcess("withHttp(true)", target),
  curl: withCurl,
};

describe.each(Object.entries(CLIENTS))("a body that is too large, sent with %s", (_name, send) => {
  it("is always refused with a 413 that says how large it may be", async () => {
    for (let i = 0; i < TIMES; i += 1) {
      const { status, text } = await send(login);
      expect(status).toBe(413);
      expect(JSON.parse(text)).toMatchObject({ success: false, code: "payload_too_large" });
      expect(text).toContain(login.limit);
    }
  });

  it("is refused in the same way as a track of 60 MB", async () => {
    const target = await track();
    const { status, text } = await send(target);
    expect(status).toBe(413);
    expect(text).toContain(target.limit);
  });
});

describe("what comes after a refusal", () => {
  it("is read for a bounded number of bytes, then the connection is cut", async () => {
    const maxBytes = 4 * MIB;
    const app = fastify({ bodyLimit: 1024 });
    await app.register(lingeringPlugin, { clock: systemClock, maxBytes });
    app.post("/", () => "taken");
    const { port } = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
    const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    let answer = "";
    socket.on("data", (chunk) => {
      answer += String(chunk);
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 999999999999\r\n\r\n",
    );
    const chunk = Buffer.alloc(MIB, "a");
    const send = (): void => {
      if (socket.writable) socket.write(chunk, () => setImmediate(send));
    };
    send();
    await closed;
    expect(answer).toContain("413 Payload Too Large");
    await app.close();
  });

  it("is read of a bounded number of clients: the one that has been read longest makes room", async () => {
    const app = fastify({ bodyLimit: 1024 });
    await app.register(lingeringPlugin, { clock: systemClock, maxLingering: 2 });
    app.post("/", () => "taken");
    const { port } = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
    const ended: number[] = [];
    const refused = async (which: number): Promise<Socket> => {
      const socket = connect(Number(port), "127.0.0.1");
      socket.once("end", () => ended.push(which));
      socket.write(
        "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n",
      );
      const [answer] = (await once(socket, "data")) as [Buffer];
      expect(String(answer)).toContain("413 Payload Too Large");
      return socket;
    };
    const first = await refused(1);
    const second = await refused(2);
    const third = await refused(3);
    await expect.poll(() => ended).toEqual([1]);
    for (const socket of [first, second, third]) socket.destroy();
    await app.close();
  });

  it("is read for a bounded time, of a client that sends nothing", async () => {
    const app = fastify({ bodyLimit: 1024 });
    let cut: () => void = () => undefined;
    const clock = {
      ...systemClock,
      after: (_ms: number, fn: () => void) => {
        cut = fn;
        return () => undefined;
      },
    };
    await app.register(lingeringPlugin, { clock });
    app.post("/", () => "taken");
    const { port } = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n",
    );
    await once(socket, "data");
    const closed = once(socket, "end");
    cut();
    await closed;
    socket.destroy();
    await app.close();
  });
});
