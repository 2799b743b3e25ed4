import type { Bus, Keys, Streams } from "@parley/shared/bus/bus.ts";
import { appendCallEvent } from "@parley/shared/bus/call-event-stream.ts";
import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import { type CallEvent, encodeCallEvent, LATE_SEQ } from "@parley/shared/contracts/call-events.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { LostNodes } from "@parley/shared/nodes/lost-nodes.ts";
import { readEventFile, removeEventFile } from "../events/event-file.ts";
import { type RecordingNote, RecordingNotes } from "../recordings/recording-notes.ts";
import type { RecordingStore, StoredRecording } from "../recordings/recording-store.ts";
import { listNodeFolders, type NodeFolder, removeIfEmpty, takeOver } from "./node-folder.ts";

const SWEEP_EVERY_MS = 3_000;
/** Pause before another try to store a recording. */
const RETRY_RECORDING_MS = 10 * 60_000;
/** Maximum number of appends in flight. */
const BATCH = 64;

export interface RecoveryDeps {
  readonly dataDir: string;
  readonly nodeId: string;
  readonly bus: Pick<Bus, "writableForMs"> & {
    readonly keys: Pick<Keys, "get">;
    readonly streams: Pick<Streams, "append">;
  };
  readonly recordings: Pick<RecordingStore, "recover">;
  /** This node's notes, which keep recordings whose storing has failed. */
  readonly notes: RecordingNotes;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Finishes the work of nodes that died: hands over the call events they kept on disk and announces the recordings they
 * were writing. The nodes of a data directory look after each other, and a later start after earlier ones. Repeating
 * the work changes nothing: events keep their ids, and the id of an announcement derives from its recording.
 */
export class Recovery {
  readonly #deps: RecoveryDeps;
  readonly #nodes: LostNodes;
  readonly #retryAtMs = new Map<string, number>();
  #stopSweeps: () => void = () => undefined;
  #sweeping: Promise<void> | undefined;

  constructor(deps: RecoveryDeps) {
    this.#deps = deps;
    this.#nodes = new LostNodes(deps);
  }

  start(): void {
    const sweepInBackground = (): void => {
      this.#sweeping ??= this.sweep()
        .catch((error: unknown) => {
          // Usually the bus is away, which is reported elsewhere.
          this.#deps.log.debug(
            { event: "recovery_postponed", err: messageOf(error) },
            "failed to recover what a lost node left, trying again",
          );
        })
        .finally(() => {
          this.#sweeping = undefined;
        });
    };
    sweepInBackground();
    this.#stopSweeps = this.#deps.clock.every(SWEEP_EVERY_MS, sweepInBackground);
  }

  /** Resolves when the work already begun is finished. */
  async stop(): Promise<void> {
    this.#stopSweeps();
    await this.#sweeping;
  }

  /** Looks for dead nodes once. Rejects if the bus is away. */
  async sweep(): Promise<void> {
    const { dataDir, nodeId, notes } = this.#deps;
    await this.#announceAll(notes);
    const folders = await listNodeFolders(dataDir);
    for (const folder of folders) {
      if (folder.ownerId === nodeId) {
        if (folder.isTakenOver) await this.#clear(folder);
      } else if (await this.#nodes.isLost(folder.ownerId)) {
        const ours = await takeOver(folder, nodeId);
        if (ours) await this.#clear(ours);
      }
    }
    this.#nodes.keepOnly(new Set(folders.map(({ ownerId }) => ownerId)));
  }

  async #clear(folder: NodeFolder): Promise<void> {
    const { bus, log } = this.#deps;
    const events = await readEventFile(folder.eventsPath);
    for (let at = 0; at < events.length; at += BATCH) {
      const batch = events.slice(at, at + BATCH);
      await Promise.all(batch.map((event) => appendCallEvent(bus.streams, event)));
    }
    await removeEventFile(folder.eventsPath);
    if (events.length > 0)
      log.info(
        { event: "recovery_events_published", events: events.length },
        "the events of a lost node were published",
      );
    await this.#announceAll(new RecordingNotes(folder.recordingsPath));
    await removeIfEmpty(folder);
  }

  async #announceAll(notes: RecordingNotes): Promise<void> {
    const nowMs = this.#deps.clock.monotonicMs();
    for (const note of await notes.leftBehind()) {
      if (nowMs < (this.#retryAtMs.get(note.recordingId) ?? 0)) continue;
      const stored = await this.#recover(note);
      if (stored === "failed") continue;
      if (stored) await this.#announce(note, stored);
      await notes.settle(note.recordingId);
      this.#retryAtMs.delete(note.recordingId);
    }
  }

  async #recover({
    recordingId,
    sessionId,
    key,
  }: RecordingNote): Promise<StoredRecording | undefined | "failed"> {
    const { recordings, clock, log } = this.#deps;
    try {
      return await recordings.recover(key);
    } catch (error) {
      log.error(
        { event: "recovery_recording_failed", err: messageOf(error), sessionId },
        "failed to store the recording of a lost node",
      );
      this.#retryAtMs.set(recordingId, clock.monotonicMs() + RETRY_RECORDING_MS);
      return "failed";
    }
  }

  async #announce(note: RecordingNote & { isPartial: boolean }, stored: StoredRecording): Promise<void> {
    const { bus, clock, log } = this.#deps;
    const { recordingId, sessionId, orgId, key } = note;
    const event: CallEvent = {
      id: `evt_recovered_${recordingId}`,
      sessionId,
      orgId,
      seq: LATE_SEQ,
      at: toTimestamp(clock.wallMs()),
      type: "recording.ready",
      recordingId,
      key,
      ...stored,
      ...(note.isPartial ? { partial: true } : {}),
    };
    await appendCallEvent(bus.streams, encodeCallEvent(event));
    log.info({ event: "recovery_recording_stored", sessionId }, "the recording of a lost node was stored");
  }
}
