/** Where one recording is written while the call goes on. Bytes are taken before a write returns. */
export interface RecordingSink {
  write(bytes: Uint8Array): void;
  /** Appends zeros. */
  writeSilence(byteCount: number): void;
  /** Overwrites bytes written before (a WAV header's sizes). */
  rewriteAt(offset: number, bytes: Uint8Array): void;
  /** Resolves when the recording is stored for good; rejects when a part of it could not be. */
  finish(): Promise<{ sizeBytes: number }>;
}

export interface StoredRecording {
  readonly durationMs: number;
  readonly sizeBytes: number;
}

/** Keeps recordings. A store that fails fails the recording, never the call. */
export interface RecordingStore {
  /**
   * `key` is relative, with `/` between its parts. `onFailed` is called once, as soon as a write is refused: nothing
   * more is written of it, and `finish` will reject.
   */
  create(key: string, onFailed: (error: Error) => void): Promise<RecordingSink>;
  /**
   * Stores for good what was written of a recording whose writer died or whose `finish` failed; undefined
   * when nothing playable was. Nobody may be writing it any more. Rejects when it cannot be stored now.
   */
  recover(key: string): Promise<StoredRecording | undefined>;
}
