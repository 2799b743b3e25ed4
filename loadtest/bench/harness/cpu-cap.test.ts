import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { startChild } from "../../stack/child.ts";
import { type CpuCap, canCapCpu, openCpuCap } from "./cpu-cap.ts";

const SPIN =
  'const end = process.cpuUsage().user + 150000; while (process.cpuUsage().user < end); console.log("ready")';

const REFUSAL = /needs Linux, root/;

/** Where this process may not bound others, it is told so. */
function openedCap(cores: number): CpuCap | undefined {
  if (canCapCpu()) return openCpuCap(cores);
  expect(() => openCpuCap(cores)).toThrow(REFUSAL);
  return undefined;
}

describe("a bound on the CPU of processes", () => {
  it("makes a process that wants more wait, and says so", async () => {
    const cap = openedCap(0.5);
    if (!cap) return;
    onTestFinished(() => cap.remove());
    const child = await startChild({ command: cap.command([process.execPath, "-e", SPIN]), ready: /ready/ });
    if (child.process.exitCode === null) await once(child.process, "exit");
    expect(cap.throttledShare()).toBeGreaterThan(0);
    // The kernel counts the last period once it is over.
    await expect.poll(() => cap.throttledShare()).toBe(0);
  });

  it("ends for a process that goes on", async () => {
    const idle = 'setInterval(() => undefined, 1000); console.log("ready")';
    const child = await startChild({ command: [process.execPath, "-e", idle], ready: /ready/ });
    onTestFinished(async () => void (await child.stop()));
    const cap = openedCap(0.1);
    if (!cap) return;
    cap.add(child.pid);
    cap.remove();
    expect(child.process.exitCode).toBeNull();
  });
});
