// Real time: synthetic callers talk for as long as a call takes, and latency is measured.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { ROOT, TestProduct } from "../../testkit/product.ts";

const run = promisify(execFile);

function loadtest(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return run(process.execPath, ["loadtest/main.ts", ...args], { cwd: ROOT });
}

describe("npm run loadtest", () => {
  it.runIf(needs("redis"))(
    "holds calls on a stack of its own, and finds every call's record",
    async () => {
      const directory = await mkdtemp(join(tmpdir(), "parley-loadtest-"));
      onTestFinished(() => rm(directory, { recursive: true, force: true }));
      const page = join(directory, "page.html");
      // Short answers, so that every caller asks more than once.
      const load = ["--calls", "4", "--seconds", "8", "--brain-words", "6"];
      const { stdout, stderr } = await loadtest(...load, "--json", "--html", page);
      const result = JSON.parse(stdout);
      expect(result).toMatchObject({ held: 4, events: { started: 4, ended: 4, wrong: 0 }, losses: {} });
      expect(result.tally.counts).toMatchObject({ callsLost: 0, callsFailed: 0, errorsTold: 0 });
      expect(result.tally.times.response.count).toBeGreaterThan(0);
      expect(result.cpuUsPerCallSec).toBeGreaterThan(0);
      expect(stderr).toContain("measuring, 4 calls up");
      expect(await readFile(page, "utf8")).toContain("Parley under 4 calls");
    },
    90_000,
  );

  it.runIf(needs("redis") && needs("caddy") && needs("postgresServer"))(
    "loses no call but those of a killed gateway behind the product's load balancer, where one is added and a control API is killed",
    async () => {
      const fleet = ["--fleet", "2", "--calls", "4", "--seconds", "1", "--brain-words", "6"];
      const { stdout } = await loadtest(...fleet, "--json");
      const result = JSON.parse(stdout);
      expect(result).toMatchObject({
        faults: [],
        killed: { listed: 2 },
        ends: { open: 0, kept: { hangup: expect.any(Number) } },
      });
      expect(result.killed.lost).toBe(result.killed.held);
      expect(result.ends.lost).toEqual(result.killed.held === 0 ? {} : { node_lost: result.killed.held });
    },
    240_000,
  );

  it("calls a running Parley through its control API", async () => {
    const product = await TestProduct.start();
    onTestFinished(() => product.remove());
    const { baseUrl, apiKey, agentId } = product.demo;
    const address = ["--url", baseUrl, "--api-key", apiKey, "--agent", agentId];
    const { stdout } = await loadtest("--calls", "1", "--seconds", "2", "--json", ...address);
    expect(JSON.parse(stdout)).toMatchObject({ held: 1, target: baseUrl });
  });

  it("says what is wrong with its options, and where no Parley runs", async () => {
    await expect(loadtest("--calls", "-3")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--calls"),
    });
    const nowhere = ["--url", "http://127.0.0.1:9", "--api-key", "k", "--agent", "a"];
    await expect(loadtest(...nowhere)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is Parley running?"),
    });
  });
});
