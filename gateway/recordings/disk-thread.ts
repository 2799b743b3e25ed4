import { ftruncateSync, readlinkSync, writeSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { DiskAnswer, DiskBatch, DiskWrite } from "./disk-messages.ts";

/** The thread that writes all recordings of a process. The files are opened and closed by the thread that has the calls. */
const blocks = new Map<number, Uint8Array>();

giveWayToCalls();
parentPort?.on("message", ({ added, removed, writes }: DiskBatch) => {
  for (const { block, memory } of added) blocks.set(block, new Uint8Array(memory));
  const failures = writeAll(writes);
  for (const block of removed) blocks.delete(block);
  parentPort?.postMessage({ failures } satisfies DiskAnswer);
});

function writeAll(writes: readonly DiskWrite[]): DiskAnswer["failures"] {
  const failed = new Set<number>();
  const failures: DiskAnswer["failures"][number][] = [];
  for (const [at, write] of writes.entries()) {
    if (failed.has(write.fd)) continue;
    try {
      if (write.block === undefined) writeZeros(write);
      else writeBlock(write, blocks.get(write.block));
    } catch (error) {
      failed.add(write.fd);
      const { code, message } = error as NodeJS.ErrnoException;
      failures.push({ at, code, message });
    }
  }
  return failures;
}

/** A disk that fills up accepts a part of a write before it refuses one. */
function writeBlock({ fd, offset, length }: DiskWrite, memory: Uint8Array | undefined): void {
  if (!memory) throw new Error("the disk's thread does not have this block");
  for (let done = 0; done < length; ) done += writeSync(fd, memory, done, length - done, offset + done);
}

/** Silence is appended: a file that ends later reads as zeros there, and takes no room on most disks. */
function writeZeros({ fd, offset, length }: DiskWrite): void {
  ftruncateSync(fd, offset + length);
}

/** Lets the calls' thread go first, but not alone: a full core still leaves a tenth to lower priorities. Linux only. */
function giveWayToCalls(): void {
  try {
    const threadId = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The thread then shares the CPU like any other.
  }
}
