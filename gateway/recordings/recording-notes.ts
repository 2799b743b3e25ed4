import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { orIfMissing } from "../missing-file.ts";

const noteSchema = z.object({
  recordingId: z.string(),
  sessionId: z.string(),
  orgId: z.string(),
  key: z.string(),
});

/** What has to be known of a recording to announce it when its writer cannot. */
export type RecordingNote = z.infer<typeof noteSchema>;

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

  /** It is announced, or there is nothing to announce. */
  async settle(recordingId: string): Promise<void> {
    this.#inWork.delete(recordingId);
    await rm(this.#pathOf(recordingId), { force: true });
  }

  /** It could not be stored: whoever looks for what is left behind may try again. */
  giveUp(recordingId: string): void {
    this.#inWork.delete(recordingId);
  }

  /** Those that nobody in this process is at work on. */
  async leftBehind(): Promise<RecordingNote[]> {
    const names = await readdir(this.#directory).catch((error: unknown) => orIfMissing(error, []));
    const notes: RecordingNote[] = [];
    for (const name of names) {
      if (this.#inWork.has(name)) continue;
      const note = await this.#read(name);
      if (note) notes.push(note);
      // Cut short by a crash: its recording had not begun.
      else await this.settle(name);
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

  #pathOf(recordingId: string): string {
    return join(this.#directory, recordingId);
  }
}
