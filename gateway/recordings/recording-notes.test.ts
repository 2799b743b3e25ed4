import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { RecordingNotes } from "./recording-notes.ts";

const noteOf = (recordingId: string) => ({ recordingId, sessionId: "ses_1", orgId: "org_1", key: "a.wav" });

it("a recording that is being settled was not left behind", async () => {
  const directory = await mkdtemp(join(tmpdir(), "parley-notes-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const notes = new RecordingNotes(directory);
  const ids = Array.from({ length: 50 }, (_, n) => `rec_${n}`);
  await Promise.all(ids.map((id) => notes.begin(noteOf(id))));
  const settled = Promise.all(ids.map((id) => notes.settle(id)));
  expect(await notes.leftBehind()).toEqual([]);
  await settled;
  expect(await readdir(directory)).toEqual([]);
});
