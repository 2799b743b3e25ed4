import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Short, so that a process that used up its share waits for milliseconds. */
const PERIOD_US = 10_000;
const ROOT = "/sys/fs/cgroup";
/** The CPU controller of cgroup v1; elsewhere, v2 has one folder for all. */
const V1 = join(ROOT, "cpu");
const V2_CONTROLLERS = join(ROOT, "cgroup.subtree_control");

/**
 * A bound on the CPU of processes, each with all its threads. Under one that is well below what the machine has, rates say what
 * a process can do with so much of a core, whatever the number of cores and, within bounds, whatever else runs.
 */
export interface CpuCap {
  /** Bounds a process from now on, until `remove`. */
  add(pid: number): void;
  /** The same command, bounded from its first instruction. */
  command(command: readonly [string, ...string[]]): readonly [string, ...string[]];
  /**
   * For how many of the periods, since this was last asked, processes were kept waiting: from 0 to 1. Near 0, something else
   * bounds them.
   */
  throttledShare(): number;
  /** Ends the bound. */
  remove(): void;
}

/** Whether this process may bound others: Linux, root, and a CPU controller that is writable. */
export function canCapCpu(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  return isV1() || (readIfThere(V2_CONTROLLERS)?.split(/\s+/).includes("cpu") ?? false);
}

let caps = 0;

/**
 * Lets processes that are added share no more than so much of one core, on whichever they run.
 * @throws Error where this process may not bound others
 */
export function openCpuCap(cores: number): CpuCap {
  if (!canCapCpu())
    throw new Error("bounding the CPU of processes needs Linux, root and a writable CPU controller");
  const parent = isV1() ? V1 : ROOT;
  const folder = join(parent, `parley-bench-${process.pid}-${caps++}`);
  mkdirSync(folder);
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  const quotaUs = String(Math.round(cores * PERIOD_US));
  if (isV1()) {
    write("cpu.cfs_period_us", String(PERIOD_US));
    write("cpu.cfs_quota_us", quotaUs);
  } else write("cpu.max", `${quotaUs} ${PERIOD_US}`);
  const procs = join(folder, "cgroup.procs");
  const counted = { periods: 0, throttled: 0 };
  return {
    add: (pid) => writeFileSync(procs, String(pid)),
    command: (command) => ["sh", "-c", 'echo $$ > "$0" && exec "$@"', procs, ...command],
    throttledShare: () => {
      const stat = readFileSync(join(folder, "cpu.stat"), "utf8");
      const of = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(stat)?.[1] ?? 0);
      const now = { periods: of("nr_periods"), throttled: of("nr_throttled") };
      const share = (now.throttled - counted.throttled) / Math.max(1, now.periods - counted.periods);
      Object.assign(counted, now);
      return share;
    },
    remove: () => {
      for (const pid of readFileSync(procs, "utf8").split("\n").filter(Boolean))
        writeFileSync(join(parent, "cgroup.procs"), pid);
      rmdirSync(folder);
    },
  };
}

function isV1(): boolean {
  return existsSync(join(V1, "cpu.cfs_quota_us")) || existsSync(join(V1, "cpu.shares"));
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
