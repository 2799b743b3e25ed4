import { Writable } from "node:stream";
import type { Database } from "@parley/control-api/database/open.ts";
import type { JobHandler } from "@parley/control-api/jobs/job-kind.ts";
import { JobQueue } from "@parley/control-api/jobs/queue.ts";
import { JobRunner } from "@parley/control-api/jobs/runner.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { createLogger } from "@parley/shared/log.ts";
import { createMetrics, type Metrics } from "@parley/shared/metrics.ts";

/** Starts a process's job runner. Runners that notify each other share a bus. */
export function startJobRunner(
  handlers: readonly JobHandler[],
  {
    database,
    clock,
    bus = createMemoryBus({ clock: systemClock }),
  }: { readonly database: Database; readonly clock: Clock; readonly bus?: Bus },
): { runner: JobRunner; queue: JobQueue; metrics: Metrics; logged: string[] } {
  const logged: string[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk));
      done();
    },
  });
  const log = createLogger({ level: "debug", format: "json", name: "test", destination });
  const { channels } = bus;
  const metrics = createMetrics();
  const queue = new JobQueue({ clock, channels });
  const runner = new JobRunner({ database, channels, clock, log, metrics, queue, handlers });
  runner.start();
  return { runner, queue, metrics, logged };
}
