/** Where one recording is written while the call goes on. Both writes take the bytes before they return. */
export interface RecordingSink {
  write(bytes: Uint8Array): void;
  /** Overwrites bytes written before (a WAV header's sizes). */
  rewriteAt(offset: number, bytes: Uint8Array): void;
  /** Resolves when the recording is stored for good; rejects when a part of it could not be. */
  finish(): Promise<{ sizeBytes: number }>;
}

/** Keeps recordings. A store that fails fails the recording, never the call. */
export interface RecordingStore {
  /** `key` is relative, with `/` between its parts. */
  create(key: string): Promise<RecordingSink>;
}
