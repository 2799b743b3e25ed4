import { Worker } from "node:worker_threads";
import type { BundleFiles, BundleReport } from "@parley/platform/publish-checks/check-bundle.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";

const WITHIN_MS = 30_000;
const MAX_HEAP_MB = 512;
/** Checks per process; further publishers are asked to try again. */
const SIDE_BY_SIDE = 2;
const RETRY_AFTER_SECS = 5;

/** Runs publish checks in a thread of their own, bounded in time and memory. */
export class BesideChecks {
  readonly #clock: Pick<Clock, "after">;
  #running = 0;

  constructor(clock: Pick<Clock, "after">) {
    this.#clock = clock;
  }

  /** Throws `AppError` too_many_requests, and validation_failed for a bundle that exceeds the bounds. */
  async check(files: BundleFiles): Promise<BundleReport> {
    if (this.#running >= SIDE_BY_SIDE)
      throw new AppError(
        "too_many_requests",
        "Too many bundles are being checked. Publish again in a moment.",
        {
          retryAfterSecs: RETRY_AFTER_SECS,
        },
      );
    this.#running += 1;
    try {
      return await this.#run(files);
    } finally {
      this.#running -= 1;
    }
  }

  async #run(files: BundleFiles): Promise<BundleReport> {
    const worker = new Worker(new URL("./check-worker.ts", import.meta.url), {
      workerData: files,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      env: {},
    });
    let giveUp = (): void => undefined;
    try {
      return await new Promise<BundleReport>((resolve, reject) => {
        const fail = (cause?: unknown): void =>
          reject(
            new AppError(
              "validation_failed",
              "The bundle's scripts are too large to be read; make them smaller.",
              {
                cause,
              },
            ),
          );
        worker.once("message", resolve);
        worker.once("error", fail);
        worker.once("exit", fail);
        giveUp = this.#clock.after(WITHIN_MS, fail);
      });
    } finally {
      giveUp();
      await worker.terminate();
    }
  }
}
