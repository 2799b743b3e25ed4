import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { signBody } from "@parley/shared/security/signatures.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { NODE_SNIPPET, OPENSSL_SNIPPET, PYTHON_SNIPPET } from "../dashboard/features/webhooks/snippets.ts";
import { createOrganization, type TestOrganization } from "../testkit/organization.ts";
import { ROOT } from "../testkit/product.ts";
import { TestWebhooks } from "../testkit/webhooks.ts";

const SOON = { timeout: 90_000 };

let webhooks: TestWebhooks;
let organization: TestOrganization;
beforeAll(async () => {
  webhooks = await TestWebhooks.start();
  organization = await createOrganization(webhooks.api.database);
  // Libraries compare the time that is signed with the machine's.
  expect(Math.abs(webhooks.clock.wallMs() - Date.now())).toBeLessThan(60_000);
});
afterAll(() => webhooks.close());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

/** The library where it is installed, as somebody who copies the snippet has it. */
function pythonPath(): Record<string, string> {
  try {
    execFileSync("python3", ["-c", "import standardwebhooks"], { stdio: "ignore" });
    return {};
  } catch {
    return { PYTHONPATH: join(ROOT, "testkit/python") };
  }
}

const RECEIVERS = {
  // Bare names lead to what is installed in the working directory, as they do for a file there.
  Node: {
    command: process.execPath,
    args: ["--input-type=module", "--eval", NODE_SNIPPET],
    env: (): Record<string, string> => ({}),
  },
  Python: { command: "python3", args: ["-c", PYTHON_SNIPPET], env: pythonPath },
};

/** A snippet as it is copied, running on a port, and what it printed. */
async function running(name: keyof typeof RECEIVERS, env: { SIGNING_SECRET: string; PORT: string }) {
  const { command, args, env: more } = RECEIVERS[name];
  const child: ChildProcess = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...more(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      printed.text += chunk.toString("utf8");
    });
  }
  await expect.poll(() => answers(Number(env.PORT)), SOON).toBe(true);
  return printed;
}

/** Sends a sample to a receiver on that port, which knows this secret. */
async function deliver(port: number): Promise<{ id: string; secret: string; send: () => Promise<string> }> {
  const path = `/api/orgs/${organization.orgId}/webhooks`;
  const key = organization.keys.owner;
  const made = await webhooks.api.call("POST", path, {
    key,
    body: { url: `http://127.0.0.1:${port}/hook` },
  });
  const { id, signing_secret: secret } = made.body.data as { id: string; signing_secret: string };
  const send = async () => {
    const sent = await webhooks.api.call("POST", `${path}/${id}/test`, {
      key,
      body: { event: "call.ended" },
    });
    return (sent.body.data as { deliveryIds: string[] }).deliveryIds[0] ?? "";
  };
  return { id, secret, send };
}

describe.each(["Node", "Python"] as const)("the receiver in %s that the page shows", (name) => {
  it("runs as it is copied, takes a delivery, and refuses one with another secret", async () => {
    const port = await freePort();
    const { id, secret, send } = await deliver(port);
    const printed = await running(name, { SIGNING_SECRET: secret, PORT: String(port) });
    const deliveryId = await send();
    const status = async () => (await webhooks.deliveries(organization, id))[0]?.responseStatus;
    await expect.poll(status, SOON).toBe(200);
    await expect.poll(() => printed.text, SOON).toContain(`call.ended ${deliveryId}`);
    const forged = await fetch(`http://127.0.0.1:${port}/hook`, {
      method: "POST",
      body: "{}",
      headers: {
        "webhook-id": "dlv_1",
        "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
        "webhook-signature": "v1,AAAA",
      },
    });
    expect(forged.status).toBe(400);
  });
});

it("the line for a shell verifies the header of this service", () => {
  const run = (signature: string) =>
    execFileSync("sh", ["-c", `${OPENSSL_SNIPPET}\ntrue`], {
      input: "{}",
      encoding: "utf8",
      env: { PATH: process.env.PATH, SIGNING_SECRET: "whsec_x", SIGNATURE: signature },
    });
  expect(run(signBody("whsec_x", "{}"))).toBe("verified\n");
  expect(run("sha256=00")).toBe("");
});
