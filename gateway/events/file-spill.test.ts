import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { EventFile, readEventFile } from "./event-file.ts";
import { FileSpill } from "./file-spill.ts";
import { MemorySpill } from "./memory-spill.ts";
import type { SpilledEvent } from "./spill.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const dtmf = (payload: string): SpilledEvent => ({ type: "call.dtmf", payload });
const ended = (payload: string): SpilledEvent => ({ type: "call.ended", payload });

async function setUp(maxEvents = 100) {
  const directory = await mkdtemp(join(tmpdir(), "parley-spill-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, "node", "events.jsonl");
  const memory = new MemorySpill(maxEvents, () => undefined);
  const clock = new ManualClock();
  const file = new EventFile(path, log);
  const spill = new FileSpill({ memory, file, maxEvents, clock });
  return { clock, file, path, spill, lines: () => readEventFile(path) };
}

describe("the spill on disk", () => {
  it("writes nothing while the bus takes what comes", async () => {
    const { path, spill } = await setUp();
    spill.push(dtmf("1"));
    spill.drop(spill.oldest(1), 1);
    await spill.close();
    await expect(access(path)).rejects.toThrow();
  });

  it("holds what waits and what comes, and is gone when all is handed over", async () => {
    const { spill, lines } = await setUp();
    for (const payload of ["1", "2"]) spill.push(dtmf(payload));
    spill.keep();
    for (const payload of ["3", "4"]) spill.push(dtmf(payload));
    await expect.poll(lines).toEqual(["1", "2", "3", "4"]);
    const batch = spill.oldest(4);
    spill.drop(batch, 3);
    spill.push(dtmf("5"));
    await expect.poll(lines).toEqual(["1", "2", "3", "4", "5"]);
    spill.drop(spill.oldest(2), 2);
    await expect.poll(lines).toEqual([]);
  });

  it("keeps at the end of its process what was not handed over", async () => {
    const { spill, lines } = await setUp();
    spill.push(dtmf("1"));
    await spill.close();
    expect(await lines()).toEqual(["1"]);
  });

  it("grows no further than twice what may wait, and keeps what matters", async () => {
    const { path, spill, lines } = await setUp(10);
    spill.push(ended("end"));
    spill.keep();
    for (let i = 0; i < 1_000; i++) spill.push(dtmf(String(i)));
    await spill.close();
    const kept = await lines();
    expect(kept.length).toBeLessThanOrEqual(20);
    expect(kept).toContain("end");
    expect(kept.at(-1)).toBe("999");
    expect(await readFile(path, "utf8")).not.toContain("draft");
  });

  describe("when the disk refuses", () => {
    /** Nothing can be written below a file: a disk without room, for every account. */
    const fill = async (path: string): Promise<void> => {
      await rm(dirname(path), { recursive: true, force: true });
      await writeFile(dirname(path), "");
    };
    const makeRoom = async (path: string): Promise<void> => {
      await rm(dirname(path));
      await mkdir(dirname(path));
    };
    const refused = async () => {
      const at = await setUp();
      await fill(at.path);
      at.spill.push(dtmf("1"));
      at.spill.keep();
      await expect.poll(() => at.file.hasFailed).toBe(true);
      at.spill.push(dtmf("2"));
      return at;
    };

    it("holds the events in memory, and comes to an end", async () => {
      const { spill } = await refused();
      await spill.close();
      expect(spill.size).toBe(2);
    });

    it("keeps the whole outage on disk once there is room", async () => {
      const { clock, path, spill, lines } = await refused();
      await makeRoom(path);
      clock.advance(2_000);
      spill.push(dtmf("3"));
      await expect.poll(lines).toEqual(["1", "2", "3"]);
      spill.push(dtmf("4"));
      await expect.poll(lines).toEqual(["1", "2", "3", "4"]);
    });

    it("keeps a later outage on disk", async () => {
      const { path, spill, lines } = await refused();
      await makeRoom(path);
      spill.drop(spill.oldest(2), 2);
      spill.push(dtmf("later"));
      spill.keep();
      await expect.poll(lines).toEqual(["later"]);
    });

    it("keeps at the end of its process what there is room for by then", async () => {
      const { path, spill, lines } = await refused();
      await makeRoom(path);
      await spill.close();
      expect(await lines()).toEqual(["1", "2"]);
    });
  });
});
