import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { orIfMissing } from "../files/missing-file.ts";

const noteSchema = z.object({
  recordingId: z.string(),
  sessionId: z.string(),
  orgId: z.string(),
  key: z.string(),
});

/** What has to be known of a recording to announce it when its writer cannot. */
export type RecordingNote = z.infer<typeof noteSchema>;
/** Ends the name of the note of a recording whose end is missing: a full disk still takes a new name. */
const PARTIAL = ".partial";

/**
 * A note for each recording that was begun and not announced, as files: who finds them after a crash knows
 * which recordings nobody has heard of.
 */
export class RecordingNotes {
  readonly #directory: string;
  /** Recordings this process is writing or storing. */
  readonly #inWork = new Set<string>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async begin(note: RecordingNote): Promise<void> {
    this.#inWork.add(note.recordingId);
    await mkdir(this.#directory, { recursive: true });
    await writeFile(this.#pathOf(note.recordingId), JSON.stringify(note));
  }

  /** Its end will be missing. */
  async markPartial(recordingId: string): Promise<void> {
    await rename(this.#pathOf(recordingId), this.#pathOf(recordingId + PARTIAL));
  }

  /** It is announced, or there is nothing to announce. */
  async settle(recordingId: string): Promise<void> {
    const names = [recordingId, recordingId + PARTIAL];
    try {
      await Promise.all(names.map((name) => rm(this.#pathOf(name), { force: true })));
    } finally {
      // Not before its note is gone: who looks meanwhile would announce it once more.
      this.#inWork.delete(recordingId);
    }
  }

  /** It could not be stored: whoever looks for what is left behind may try again. */
  giveUp(recordingId: string): void {
    this.#inWork.delete(recordingId);
  }

  /** Those that nobody in this process is at work on. */
  async leftBehind(): Promise<(RecordingNote & { isPartial: boolean })[]> {
    const names = await readdir(this.#directory).catch((error: unknown) => orIfMissing(error, []));
    const notes: (RecordingNote & { isPartial: boolean })[] = [];
    for (const name of names) {
      const isPartial = name.endsWith(PARTIAL);
      const recordingId = isPartial ? name.slice(0, -PARTIAL.length) : name;
      if (this.#inWork.has(recordingId)) continue;
      const note = await this.#read(name);
      if (note) notes.push({ ...note, isPartial });
      // Cut short by a crash: its recording had not begun.
      else await this.settle(recordingId);
    }
    return notes;
  }

  async #read(name: string): Promise<RecordingNote | undefined> {
    const text = await readFile(this.#pathOf(name), "utf8").catch((error: unknown) => orIfMissing(error, ""));
    try {
      return noteSchema.parse(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  #pathOf(name: string): string {
    return join(this.#directory, name);
  }
}
