import { type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { orIfMissing } from "../files/missing-file.ts";

type Step =
  | { readonly kind: "add"; readonly lines: string[] }
  | { readonly kind: "replace"; readonly lines: readonly string[] };

/**
 * Events on disk, one per line. Writes run in the background in the order of the calls to this class; no call waits for
 * the disk. Events that arrive during a write go with the next one, and `fdatasync` follows each write: a killed
 * process loses the events of its last milliseconds, a power cut those of the last write. After a refused write (a full
 * disk), the file takes nothing more until `replace` succeeds.
 */
export class EventFile {
  readonly #path: string;
  readonly #log: Logger;
  #file: FileHandle | undefined;
  #steps: Step[] = [];
  /** Separate from the promise, because a worker that never waits finishes before its promise is assigned. */
  #isWorking = false;
  #working: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
  }

  /** True if the disk refused a write, so the file lacks lines. Only `replace` repairs that. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  add(line: string): void {
    const last = this.#steps.at(-1);
    if (last?.kind === "add") last.lines.push(line);
    else this.#steps.push({ kind: "add", lines: [line] });
    this.#start();
  }

  /** Replaces the file's lines; with no lines, removes the file. The old content stays until the new is on disk. */
  replace(lines: readonly string[]): void {
    this.#steps = [{ kind: "replace", lines }];
    this.#start();
  }

  /** Resolves when everything is on disk or was refused. */
  async close(): Promise<void> {
    while (this.#isWorking) await this.#working;
    await this.#closeFile();
  }

  #start(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#working = this.#work();
  }

  async #work(): Promise<void> {
    for (let step = this.#steps.shift(); step; step = this.#steps.shift()) {
      try {
        if (step.kind === "replace") await this.#replace(step.lines);
        else if (!this.#hasFailed) await write(this.#file, step.lines);
      } catch (error) {
        if (!this.#hasFailed)
          this.#log.error(
            { event: "spill_to_disk_failed", err: messageOf(error) },
            "failed to keep waiting events on disk, they are in memory only",
          );
        this.#hasFailed = true;
      }
    }
    this.#isWorking = false;
  }

  async #replace(lines: readonly string[]): Promise<void> {
    await this.#closeFile();
    if (lines.length === 0) await removeEventFile(this.#path);
    else {
      await mkdir(dirname(this.#path), { recursive: true });
      this.#file = await open(draftOf(this.#path), "w");
      await write(this.#file, lines);
      await rename(draftOf(this.#path), this.#path);
    }
    if (this.#hasFailed)
      this.#log.info(
        { event: "spill_to_disk_resumed", events: lines.length },
        "waiting events are kept on disk again",
      );
    this.#hasFailed = false;
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    // Closing may repeat the error of a refused write.
    await file?.close().catch(() => undefined);
  }
}

const draftOf = (path: string): string => `${path}.draft`;

async function write(file: FileHandle | undefined, lines: readonly string[]): Promise<void> {
  await file?.appendFile(lines.map((line) => `${line}\n`).join(""));
  await file?.datasync();
}

/** Reads the lines of an event file; none if the file is missing. Omits a last line that a crash cut short. */
export async function readEventFile(path: string): Promise<string[]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => orIfMissing(error, ""));
  return text.split("\n").slice(0, -1);
}

/** Removes an event file and any temporary file that a crash left behind. */
export async function removeEventFile(path: string): Promise<void> {
  await Promise.all([path, draftOf(path)].map((file) => rm(file, { force: true })));
}
