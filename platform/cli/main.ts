#!/usr/bin/env node
import { run } from "./run.ts";

/** npx forwards a Ctrl-C that the terminal already delivered, so only a later one counts as a second press. */
const ONE_PRESS_MS = 1_000;

const leaving = new AbortController();
let pressedMs = Number.POSITIVE_INFINITY;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (performance.now() - pressedMs > ONE_PRESS_MS) process.exit(130);
    pressedMs = Math.min(pressedMs, performance.now());
    leaving.abort();
  });
}
// The reader of this output has gone.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => leaving.abort());

const code = await run(process.argv.slice(2), {
  env: process.env,
  signal: leaving.signal,
  out: process.stdout,
  err: process.stderr,
});
process.exit(code);
