import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { CALL_EVENTS_STREAM } from "@parley/shared/contracts/call-events.ts";
import { NODE_TTL_MS, nodeKey } from "@parley/shared/contracts/gateway-nodes.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLocalStore } from "../recordings/local-store.ts";
import { RecordingNotes } from "../recordings/recording-notes.ts";
import { nodeFolder } from "./node-folder.ts";
import { Recovery } from "./recovery.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const NOTE = { recordingId: "rec_1", sessionId: "ses_1", orgId: "org_1", key: "org_1/ses_1/rec_1.wav" };

async function setUp() {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-recovery-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const clock = new ManualClock();
  const bus = createMemoryBus({ clock });
  const store = createLocalStore(join(dataDir, "recordings"));
  const node = (nodeId: string) => {
    const notes = new RecordingNotes(nodeFolder(dataDir, nodeId).recordingsPath);
    return {
      notes,
      recovery: new Recovery({ dataDir, nodeId, bus, recordings: store, notes, clock, log }),
    };
  };
  const dead = nodeFolder(dataDir, "nod_dead");
  /** What the dead node was about to hand over. */
  const keepEvents = async (text: string): Promise<void> => {
    await mkdir(dead.path, { recursive: true });
    await appendFile(dead.eventsPath, text);
  };
  /** Half a second of a call that the dead node was recording. */
  const keepRecording = async (): Promise<void> => {
    await new RecordingNotes(dead.recordingsPath).begin(NOTE);
    const path = join(dataDir, "recordings", NOTE.key);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, encodeWav(new Int16Array(8_000), 16_000));
  };
  const reader = { group: "test", consumer: "test", count: 100, blockMs: 0, claimAfterMs: 60_000 };
  const handedOver = async () =>
    (await bus.streams.read(CALL_EVENTS_STREAM, reader)).map(({ payload }) => payload);
  const folders = () => readdir(join(dataDir, "nodes"));
  return { clock, bus, node, keepEvents, keepRecording, handedOver, folders };
}

describe("what a node left behind", () => {
  it("is handed over and announced by another one, once it is lost", async () => {
    const { clock, bus, node, keepEvents, keepRecording, handedOver, folders } = await setUp();
    await keepEvents('{"id":"evt_1"}\n{"id":"evt_2"}\n{"id":"ev');
    await keepRecording();
    await bus.keys.set(nodeKey("nod_dead"), "{}", NODE_TTL_MS);
    const nodes = [node("nod_a"), node("nod_b")];
    const sweep = () => Promise.all(nodes.map(({ recovery }) => recovery.sweep()));
    await sweep();
    clock.advance(NODE_TTL_MS);
    await sweep();
    expect(await handedOver()).toEqual([]);
    clock.advance(NODE_TTL_MS / 2);
    await sweep();
    const [first, second, ready, ...rest] = await handedOver();
    expect([first, second]).toEqual(['{"id":"evt_1"}', '{"id":"evt_2"}']);
    expect(JSON.parse(ready ?? "")).toMatchObject({
      type: "recording.ready",
      id: "evt_recovered_rec_1",
      ...NOTE,
      durationMs: 500,
      sizeBytes: 16_044,
    });
    expect(rest).toEqual([]);
    expect(await folders()).toEqual([]);
  });

  it("is taken over again from a node that died while it was at it", async () => {
    const { clock, node, keepEvents, handedOver, folders } = await setUp();
    await keepEvents('{"id":"evt_1"}\n');
    const unlucky = node("nod_a");
    await unlucky.recovery.sweep();
    clock.advance(NODE_TTL_MS);
    const { recovery } = node("nod_b");
    await recovery.sweep();
    clock.advance(NODE_TTL_MS);
    await recovery.sweep();
    expect(await handedOver()).toEqual(['{"id":"evt_1"}']);
    expect(await folders()).toEqual([]);
  });

  it("is left alone while its node lives, and so are recordings this node is still writing", async () => {
    const { clock, bus, node, keepEvents, handedOver } = await setUp();
    await keepEvents('{"id":"evt_1"}\n');
    await bus.keys.set(nodeKey("nod_dead"), "{}", 10 * NODE_TTL_MS);
    const { recovery, notes } = node("nod_a");
    await notes.begin(NOTE);
    for (let sweeps = 0; sweeps < 5; sweeps++) {
      await recovery.sweep();
      clock.advance(NODE_TTL_MS);
    }
    expect(await handedOver()).toEqual([]);
  });

  it("of a recording that never began is a note to throw away", async () => {
    const { clock, node, handedOver } = await setUp();
    const { recovery, notes } = node("nod_a");
    await notes.begin(NOTE);
    notes.giveUp(NOTE.recordingId);
    await recovery.sweep();
    clock.advance(NODE_TTL_MS);
    expect(await notes.leftBehind()).toEqual([]);
    expect(await handedOver()).toEqual([]);
  });
});
