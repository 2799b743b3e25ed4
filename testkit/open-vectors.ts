import type { Databases } from "@parley/control-api/database/open.ts";
import { openVectors, type Vectors } from "@parley/control-api/knowledge/vectors/open-vectors.ts";
import { systemClock } from "@parley/shared/clock.ts";
import type { EmbeddingsConfig } from "@parley/shared/config/config.ts";
import { createLogger } from "@parley/shared/log.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { Egress } from "@parley/shared/net/egress.ts";
import { NameLookups } from "@parley/shared/net/names/name-lookups.ts";
import { createSystemResolver } from "@parley/shared/net/names/system-resolver.ts";

export interface OpenedVectors {
  readonly vectors: Vectors;
  close(): Promise<void>;
}

/** Searching by meaning as the server has it, without the server: tokens are not counted. */
export function openVectorsAlone(database: Databases, service: EmbeddingsConfig): OpenedVectors {
  const metrics = createMetrics();
  const names = new NameLookups({
    resolve: createSystemResolver({ clock: systemClock }),
    clock: systemClock,
  });
  const egress = new Egress({ clock: systemClock, metrics, names, allowPrivateTargets: [] });
  const vectors = openVectors(service, {
    database,
    clock: systemClock,
    log: createLogger({ level: "warn", format: "json", name: "vectors-alone" }),
    metrics,
    egress,
    countEmbedded: async () => undefined,
  });
  return { vectors, close: () => egress.close() };
}
