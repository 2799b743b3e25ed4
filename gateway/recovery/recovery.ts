import type { Bus, Keys, Streams } from "@parley/shared/bus/bus.ts";
import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import {
  CALL_EVENTS_STREAM,
  type CallEvent,
  encodeCallEvent,
  LATE_SEQ,
} from "@parley/shared/contracts/call-events.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { LostNodes } from "@parley/shared/nodes/lost-nodes.ts";
import { readEventFile, removeEventFile } from "../events/event-file.ts";
import { type RecordingNote, RecordingNotes } from "../recordings/recording-notes.ts";
import type { RecordingStore, StoredRecording } from "../recordings/recording-store.ts";
import { listNodeFolders, type NodeFolder, removeIfEmpty, takeOver } from "./node-folder.ts";

const SWEEP_EVERY_MS = 3_000;
/** A recording that could not be stored is tried again after this. */
const RETRY_RECORDING_MS = 10 * 60_000;
/** Appends on their way at once. */
const BATCH = 64;

export interface RecoveryDeps {
  readonly dataDir: string;
  readonly nodeId: string;
  readonly bus: Pick<Bus, "writableForMs"> & {
    readonly keys: Pick<Keys, "get">;
    readonly streams: Pick<Streams, "append">;
  };
  readonly recordings: Pick<RecordingStore, "recover">;
  /** Of this node: recordings whose storing has failed wait there. */
  readonly notes: RecordingNotes;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Does what a node that died could not do any more: hands over the call events it kept on disk and announces
 * the recordings it was writing. Each node of a data directory looks after the others, and a later start
 * after the earlier ones. Events keep their ids and an announcement has one made of its recording, so that
 * doing it twice changes nothing.
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
          // Above all the bus that is away, which tells of itself.
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

  /** Resolves when what was begun is finished. */
  async stop(): Promise<void> {
    this.#stopSweeps();
    await this.#sweeping;
  }

  /** Looks once. Rejects when the bus is away. */
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
      await Promise.all(batch.map((event) => bus.streams.append(CALL_EVENTS_STREAM, event)));
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
    await bus.streams.append(CALL_EVENTS_STREAM, encodeCallEvent(event));
    log.info({ event: "recovery_recording_stored", sessionId }, "the recording of a lost node was stored");
  }
}
