import type { EmbeddingsConfig } from "@parley/shared/config/config.ts";

/** Names what vectors can be compared in: a model and its dimensions. */
export function spaceOf({ model, dimensions }: Pick<EmbeddingsConfig, "model" | "dimensions">): string {
  return `${model}@${dimensions}`;
}
