import type { KnowledgeMeaning } from "@parley/shared/contracts/knowledge.ts";
import type { Database } from "../../database/open.ts";
import type { Vectors } from "./open-vectors.ts";
import { countToEmbed } from "./vector-store.ts";

/** Whether an organization's documents are searched by meaning, and how many of them are not yet. */
export async function meaningOf(
  { db }: Pick<Database, "db">,
  orgId: string,
  vectors: Pick<Vectors, "model" | "space" | "support"> | undefined,
): Promise<KnowledgeMeaning> {
  if (!vectors) return { state: "off", model: null, why: null, waiting: 0 };
  const { model, space, support } = vectors;
  const state = await support.state();
  if (!state.isReady) return { state: "unavailable", model, why: state.why, waiting: 0 };
  return { state: "on", model, why: null, waiting: await countToEmbed(db, orgId, space) };
}
