/** Receives one recording while the call goes on. A write copies its bytes before it returns. */
export interface RecordingSink {
  write(bytes: Uint8Array): void;
  /** Appends zeros. */
  writeSilence(byteCount: number): void;
  /** Overwrites bytes written earlier (a WAV header's sizes). */
  rewriteAt(offset: number, bytes: Uint8Array): void;
  /** Resolves when the recording is stored for good; rejects if a part of it could not be. */
  finish(): Promise<{ sizeBytes: number }>;
}

export interface StoredRecording {
  readonly durationMs: number;
  readonly sizeBytes: number;
}

/** Keeps recordings. A failure of the store fails the recording, never the call. */
export interface RecordingStore {
  /**
   * `key` is relative, with `/` between its parts. `onFailed` is called once, as soon as a write is refused; after that
   * nothing more of the recording is written, and `finish` rejects.
   */
  create(key: string, onFailed: (error: Error) => void): Promise<RecordingSink>;
  /**
   * Stores for good what was written of a recording whose writer died or whose `finish` failed; undefined if nothing
   * playable was written. Nobody may still be writing the recording. Rejects if it cannot be stored now.
   */
  recover(key: string): Promise<StoredRecording | undefined>;
}
