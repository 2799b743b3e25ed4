import { stopOnSignal } from "@parley/shared/stop-on-signal.ts";
import { startFakeEmbeddings } from "./fake-embeddings.ts";

/**
 * Runs the fake embeddings service by hand: `node testkit/fakes/embeddings/main.ts`. Prints the environment that points
 * Parley at it. `--any-port` uses a free port. Ctrl-C ends it.
 */
const PORT = 8111;
const DIMENSIONS = 256;

const fake = await startFakeEmbeddings({
  dimensions: DIMENSIONS,
  port: process.argv.includes("--any-port") ? 0 : PORT,
});
stopOnSignal(() => fake.close());
console.log(
  `EMBEDDINGS_URL=${fake.url} EMBEDDINGS_MODEL=fake EMBEDDINGS_DIMENSIONS=${DIMENSIONS} EMBEDDINGS_MIN_SIMILARITY=0.2`,
);
