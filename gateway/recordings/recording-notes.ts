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

/** What another process needs to announce a recording if its writer cannot. */
export type RecordingNote = z.infer<typeof noteSchema>;
/** Suffix of the note of a recording that lacks its end; even a full disk accepts a rename. */
const PARTIAL = ".partial";

/**
 * Keeps a note as a file for each recording that was begun and not announced yet. After a crash, the notes tell which
 * recordings were never announced.
 */
export class RecordingNotes {
  readonly #directory: string;
  /** Recordings that this process is writing or storing. */
  readonly #inWork = new Set<string>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async begin(note: RecordingNote): Promise<void> {
    this.#inWork.add(note.recordingId);
    await mkdir(this.#directory, { recursive: true });
    await writeFile(this.#pathOf(note.recordingId), JSON.stringify(note));
  }

  /** Notes that the recording will lack its end. */
  async markPartial(recordingId: string): Promise<void> {
    await rename(this.#pathOf(recordingId), this.#pathOf(recordingId + PARTIAL));
  }

  /** Removes the note because the recording was announced or there is nothing to announce. */
  async settle(recordingId: string): Promise<void> {
    const names = [recordingId, recordingId + PARTIAL];
    try {
      await Promise.all(names.map((name) => rm(this.#pathOf(name), { force: true })));
    } finally {
      // Only once the note is gone: anyone who looks before that would announce the recording again.
      this.#inWork.delete(recordingId);
    }
  }

  /** Leaves the note because the recording could not be stored; a search for leftovers may try again. */
  giveUp(recordingId: string): void {
    this.#inWork.delete(recordingId);
  }

  /** Notes of recordings that nothing in this process is working on. */
  async leftBehind(): Promise<(RecordingNote & { isPartial: boolean })[]> {
    const names = await readdir(this.#directory).catch((error: unknown) => orIfMissing(error, []));
    const notes: (RecordingNote & { isPartial: boolean })[] = [];
    for (const name of names) {
      const isPartial = name.endsWith(PARTIAL);
      const recordingId = isPartial ? name.slice(0, -PARTIAL.length) : name;
      if (this.#inWork.has(recordingId)) continue;
      const note = await this.#read(name);
      if (note) notes.push({ ...note, isPartial });
      // The crash cut the note short, so its recording had not begun.
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
