const FIRST_CAPACITY_BYTES = 1 << 18;
/** About half an hour of 16 kHz speech. */
const MAX_FILE_BYTES = 1 << 26;

/** A file in memory, written at a movable position. */
export class MemoryFile {
  #bytes = new Uint8Array(FIRST_CAPACITY_BYTES);
  #size = 0;
  #position = 0;

  get size(): number {
    return this.#size;
  }

  get position(): number {
    return this.#position;
  }

  /** Returns false, and writes nothing, if the file would become too large. */
  write(bytes: Uint8Array): boolean {
    const end = this.#position + bytes.length;
    if (end > MAX_FILE_BYTES) return false;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#position);
    this.#position = end;
    this.#size = Math.max(this.#size, end);
    return true;
  }

  seek(position: number): void {
    this.#position = Math.max(0, Math.min(position, MAX_FILE_BYTES));
  }

  /** Everything written so far, without copying. */
  contents(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }
}
