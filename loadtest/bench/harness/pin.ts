import { execFileSync } from "node:child_process";

/**
 * Pins this process with all threads to one CPU while `work` runs. Linux only (`taskset`); elsewhere, just
 * runs `work`.
 */
export async function onCpu<T>(cpu: number, work: () => Promise<T>): Promise<T> {
  if (process.platform !== "linux") return work();
  const before = allowedCpus();
  allow(String(cpu));
  try {
    return await work();
  } finally {
    allow(before);
  }
}

/** "pid 42's current affinity list: 0,1" */
function allowedCpus(): string {
  const said = execFileSync("taskset", ["--cpu-list", "--pid", String(process.pid)], { encoding: "utf8" });
  return said.slice(said.lastIndexOf(":") + 1).trim();
}

function allow(cpus: string): void {
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", cpus, String(process.pid)]);
}
