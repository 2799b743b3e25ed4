import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { ROOT } from "../testkit/product.ts";

const RUN_PROCESS = pathToFileURL(join(ROOT, "shared/run-process.ts")).href;
const STOP_ON_SIGNAL = pathToFileURL(join(ROOT, "shared/stop-on-signal.ts")).href;
const SERVER = `
  const { runProcess } = await import("${RUN_PROCESS}");
  setInterval(() => undefined, 1_000);
  await runProcess("test", async () => ({
    log: { info: () => undefined },
    stop: async () => console.log("stopped"),
  }));
  console.log("ready");`;
const SMALL_PROGRAM = `
  const { stopOnSignal } = await import("${STOP_ON_SIGNAL}");
  setInterval(() => undefined, 1_000);
  stopOnSignal(async () => console.log("stopped"));
  console.log("ready");`;

it.each([
  ["a server", SERVER],
  ["a small program", SMALL_PROGRAM],
])("%s ends in good order when the npm that started it is ended", async (_, script) => {
  // As npm does: a shell that waits for the program, and hands no signal on.
  const node = `"${process.execPath}" --input-type=module --eval "$SCRIPT"; :`;
  const shell = spawn("sh", ["-c", node], {
    env: { PATH: process.env.PATH, SCRIPT: script, npm_command: "run" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void shell.kill("SIGKILL"));
  const said = linesOf(shell.stdout);
  await expect.poll(said).toEqual(["ready"]);
  const closed = once(shell.stdout, "close");
  shell.kill("SIGTERM");
  // The pipe is the program's, too: it closes when the program has ended.
  await closed;
  expect(said()).toEqual(["ready", "stopped"]);
});

const SLOW_SERVER = `
  const { once } = await import("node:events");
  const { runProcess } = await import("${RUN_PROCESS}");
  await runProcess("test", async () => {
    console.log("starting");
    await once(process.stdin, "data");
    return { log: { info: () => undefined }, stop: async () => console.log("stopped") };
  });`;

it("a server that is told to end while it starts ends in good order once it has started", async () => {
  const server = spawn(process.execPath, ["--input-type=module", "--eval", SLOW_SERVER], {
    env: { PATH: process.env.PATH },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  const said = linesOf(server.stdout);
  await expect.poll(said).toEqual(["starting"]);
  server.kill("SIGTERM");
  server.stdin.write("go on\n");
  expect(await once(server, "close")).toEqual([0, null]);
  expect(said()).toEqual(["starting", "stopped"]);
});

/** The lines that a program has written so far. */
function linesOf(output: Readable): () => string[] {
  let said = "";
  output.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  return () => said.split("\n").filter((line) => line !== "");
}
