import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../testkit/product.ts";

/** What a newcomer copies out of the README, line by line, as they run it: one after the other, in one folder. */

/** Commands that go on until they are ended, and what they say when they are up. */
const SERVERS = { "npm start": /Ready/, "examples/brain/minimal.ts": /a brain listens on port/ };
/** What the shell prints, by a part of the command. */
const PRINTS: Readonly<Record<string, readonly RegExp[]>> = {
  'first-call.ts "What': [
    /^assistant: Hello Ada!$/m,
    /^user: What are your opening hours\?$/m,
    /answered after \d+ ms/,
    /^assistant: We are open from eleven/m,
  ],
  'first-call.ts "Where': [/^assistant: Let me look\. Your order 1001 is shipped: Running shoes/m],
  "outbound-call.sh": [
    /^\{"success":true,.*"status":"queued","fromNumber":"\+12025550123","toNumber":"\+12025550107"/,
    /^"role":"assistant","text":"Hello, this is Parley/m,
    /\nthe call is completed\n$/,
  ],
  "chat.ts": [
    /^(.+\n){6}$/,
    /^assistant: A table for two\. For which day and time\?$/m,
    /\nassistant: Thank you for calling\. Goodbye!\n$/,
  ],
  'first-call.ts "Hello': [/^assistant: You said: Hello there\.$/m],
};

let dataDir: string;
let brainPort: number;
const running = new Map<string, ChildProcess>();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parley-readme-"));
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const address = free.address();
  brainPort = typeof address === "object" && address ? address.port : 0;
  await new Promise((resolve) => free.close(resolve));
});
afterAll(async () => {
  for (const name of running.keys()) await end(name);
  await rm(dataDir, { recursive: true, force: true });
  await rm(join(ROOT, "answer.pcm"), { force: true });
});

test("the README's commands work in the order in which they stand", async () => {
  const commands = await commandsOfReadme();
  expect(commands.length).toBeGreaterThan(5);
  for (const command of commands) {
    const server = Object.entries(SERVERS).find(([part]) => command.includes(part));
    if (server) await serve(command, ...server);
    else {
      const [, output] = Object.entries(PRINTS).find(([part]) => command.includes(part)) ?? [];
      expect(output, `what ${command} prints`).toBeDefined();
      const said = await run(command);
      for (const line of output ?? []) expect(said, command).toMatch(line);
    }
  }
  expect(existsSync(join(ROOT, "answer.pcm"))).toBe(true);
}, 480_000);

/** `npm ci` has run already; the brain's port is one that is free here. */
async function commandsOfReadme(): Promise<string[]> {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
  return blocks
    .flatMap((block) => block.split("\n"))
    .map((line) =>
      line
        .replace(/\s+#.*$/, "")
        .replace("npm ci && ", "")
        .replace(":9000", `:${brainPort}`),
    )
    .filter((line) => line !== "");
}

/** Starts it as in a terminal of its own; one that runs already is ended first, as the README says. */
async function serve(command: string, name: string, ready: RegExp): Promise<void> {
  await end(name);
  const child = inShell(command);
  running.set(name, child);
  await new Promise<void>((resolve, reject) => {
    let said = "";
    const listen = (chunk: Buffer): void => {
      said += chunk.toString("utf8");
      if (ready.test(said)) resolve();
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("exit", (code) => reject(new Error(`${command} ended with ${code}: ${said}`)));
  });
}

async function run(command: string): Promise<string> {
  const child = inShell(command);
  let said = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  const [code] = await once(child, "close");
  expect(code, `${command}: ${said}`).toBe(0);
  return said;
}

/** With a data directory and ports of its own, so that it meets no other Parley of this machine. */
function inShell(command: string): ChildProcess {
  return spawn("/bin/sh", ["-c", command], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      DATA_DIR: dataDir,
      CONTROL_API_PORT: "0",
      GATEWAY_PORT: "0",
      BRAIN_PORT: "0",
      APP_FRAMES_PORT: "0",
      PORT: String(brainPort),
      FRONT_END: "false",
    },
    stdio: ["ignore", "pipe", "pipe"],
    // A terminal's Ctrl-C reaches every process of it, and so does a signal to the group.
    detached: true,
  });
}

async function end(name: string): Promise<void> {
  const child = running.get(name);
  running.delete(name);
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  process.kill(-child.pid, "SIGINT");
  await ended;
}
