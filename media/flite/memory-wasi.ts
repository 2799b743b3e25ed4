import { MemoryFile } from "./memory-file.ts";

/** Thrown by `proc_exit` through the program's own frames. */
class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.name = "Exit";
    this.code = code;
  }
}

const ERRNO = { ok: 0, badFile: 8, notFound: 44, noSpace: 51, notSeekable: 70 } as const;
const FILE_TYPE = { device: 2, directory: 3, file: 4 } as const;
const DIRECTORY_FD = 3;
const OUTPUT_FD = 4;
const OPEN_CREATE = 1;
const SEEK_CURRENT = 1;
const SEEK_END = 2;
const ALL_RIGHTS = 0xffff_ffff_ffff_ffffn;
const DIRECTORY_NAME = new TextEncoder().encode("/out");

/**
 * Runs a WASI command whose only effect is one file in `/out`, without touching the disk. Replaces node:wasi, whose
 * native calls can crash the whole process if they trigger a garbage collection (nodejs/node#46777). Provides only what
 * such a program needs, which is neither input files nor a clock.
 */
export function runWasiCommand(module: WebAssembly.Module, args: readonly string[]): MemoryWasiResult {
  const wasi = new MemoryWasi(args);
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.imports() });
  const { memory, _start: start } = instance.exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof start !== "function") {
    throw new TypeError("the module is not a WASI command");
  }
  wasi.memory = memory;
  try {
    start();
    return { exitCode: 0, output: wasi.output.contents() };
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    return { exitCode: error.code, output: wasi.output.contents() };
  }
}

export interface MemoryWasiResult {
  readonly exitCode: number;
  /** The content of the file that the program wrote. */
  readonly output: Uint8Array;
}

class MemoryWasi {
  memory = new WebAssembly.Memory({ initial: 0 });
  readonly output = new MemoryFile();
  readonly #args: readonly Uint8Array[];

  constructor(args: readonly string[]) {
    this.#args = args.map((arg) => new TextEncoder().encode(`${arg}\0`));
  }

  imports(): WebAssembly.ModuleImports {
    return {
      args_sizes_get: (count: number, bytes: number) => this.#argsSizes(count, bytes),
      args_get: (pointers: number, bytes: number) => this.#argsGet(pointers, bytes),
      clock_time_get: (_clock: number, _precision: bigint, time: number) => {
        this.#view().setBigUint64(time, 0n, true);
        return ERRNO.ok;
      },
      fd_close: () => ERRNO.ok,
      fd_fdstat_get: (fd: number, stat: number) => this.#stat(fd, stat),
      fd_fdstat_set_flags: () => ERRNO.ok,
      fd_prestat_get: (fd: number, stat: number) => this.#prestat(fd, stat),
      fd_prestat_dir_name: (_fd: number, name: number, length: number) => {
        new Uint8Array(this.memory.buffer, name, length).set(DIRECTORY_NAME.subarray(0, length));
        return ERRNO.ok;
      },
      fd_read: (_fd: number, _vectors: number, _count: number, read: number) => this.#put32(read, 0),
      fd_seek: (fd: number, offset: bigint, whence: number, position: number) =>
        this.#seek({ fd, offset: Number(offset), whence, position }),
      fd_write: (fd: number, vectors: number, count: number, written: number) =>
        this.#write({ fd, vectors, count, written }),
      path_open: (...args: (number | bigint)[]) => this.#open(Number(args[4]), Number(args[8])),
      proc_exit: (code: number) => {
        throw new Exit(code);
      },
    };
  }

  #argsSizes(count: number, bytes: number): number {
    this.#put32(count, this.#args.length);
    return this.#put32(
      bytes,
      this.#args.reduce((sum, arg) => sum + arg.length, 0),
    );
  }

  #argsGet(pointers: number, bytes: number): number {
    let at = bytes;
    for (const [i, arg] of this.#args.entries()) {
      this.#put32(pointers + 4 * i, at);
      new Uint8Array(this.memory.buffer).set(arg, at);
      at += arg.length;
    }
    return ERRNO.ok;
  }

  #prestat(fd: number, stat: number): number {
    if (fd !== DIRECTORY_FD) return ERRNO.badFile;
    this.#put32(stat, 0);
    return this.#put32(stat + 4, DIRECTORY_NAME.length);
  }

  #stat(fd: number, stat: number): number {
    const view = this.#view();
    view.setBigUint64(stat, BigInt(fileTypeOf(fd)), true);
    view.setBigUint64(stat + 8, ALL_RIGHTS, true);
    view.setBigUint64(stat + 16, ALL_RIGHTS, true);
    return ERRNO.ok;
  }

  #open(flags: number, fd: number): number {
    return flags & OPEN_CREATE ? this.#put32(fd, OUTPUT_FD) : ERRNO.notFound;
  }

  #seek(call: { fd: number; offset: number; whence: number; position: number }): number {
    if (call.fd !== OUTPUT_FD) return ERRNO.notSeekable;
    let base = 0;
    if (call.whence === SEEK_CURRENT) base = this.output.position;
    if (call.whence === SEEK_END) base = this.output.size;
    this.output.seek(base + call.offset);
    this.#view().setBigUint64(call.position, BigInt(this.output.position), true);
    return ERRNO.ok;
  }

  /** Counts and drops terminal output. */
  #write(call: { fd: number; vectors: number; count: number; written: number }): number {
    const view = this.#view();
    let total = 0;
    for (let i = 0; i < call.count; i++) {
      const pointer = view.getUint32(call.vectors + 8 * i, true);
      const length = view.getUint32(call.vectors + 8 * i + 4, true);
      total += length;
      if (call.fd !== OUTPUT_FD) continue;
      if (!this.output.write(new Uint8Array(this.memory.buffer, pointer, length))) return ERRNO.noSpace;
    }
    return this.#put32(call.written, total);
  }

  #put32(pointer: number, value: number): number {
    this.#view().setUint32(pointer, value, true);
    return ERRNO.ok;
  }

  /** Created for each call, because memory growth detaches older views. */
  #view(): DataView {
    return new DataView(this.memory.buffer);
  }
}

function fileTypeOf(fd: number): number {
  if (fd === DIRECTORY_FD) return FILE_TYPE.directory;
  return fd === OUTPUT_FD ? FILE_TYPE.file : FILE_TYPE.device;
}
