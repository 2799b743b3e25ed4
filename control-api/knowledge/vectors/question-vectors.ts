import { randomUUID } from "node:crypto";
import type { EmbeddingsConfig } from "@parley/shared/config/config.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { OrgMap } from "@parley/shared/org-map.ts";
import type { CountEmbedded, EmbeddedTokens } from "./count-embedded.ts";
import { type Embeddings, EmbeddingsError } from "./embeddings.ts";

/** A turn waits 400 ms for its passages; what the words find must still be in time. */
const VECTOR_WITHIN_MS = 250;
/** Partial transcripts repeat, and so do the questions of callers. */
const REMEMBERED = { perOrg: 200, orgs: 1_000 };

export interface QuestionVectorsDeps {
  readonly log: Logger;
  readonly service: Pick<EmbeddingsConfig, "model">;
  readonly embeddings: Pick<Embeddings, "embed">;
  readonly countEmbedded: CountEmbedded;
}

export interface Question {
  readonly orgId: string;
  readonly text: string;
  /** What is searched; absent: knowledge. */
  readonly channel?: EmbeddedTokens["channel"];
}

/** The vectors of what is searched for, each asked for once. */
export class QuestionVectors {
  readonly #deps: QuestionVectorsDeps;
  readonly #vectors = new OrgMap<readonly number[]>(REMEMBERED);

  constructor(deps: QuestionVectorsDeps) {
    this.#deps = deps;
  }

  /** Undefined where the vector has no direction: nothing is near to it. Throws `EmbeddingsError`. */
  async of(question: Question): Promise<readonly number[] | undefined> {
    const known = this.#vectors.get(question.orgId, question.text);
    const vector = known ?? (await this.#ask(question));
    return vector.some((value) => value !== 0) ? vector : undefined;
  }

  async #ask({ orgId, text, channel = "knowledge" }: Question): Promise<readonly number[]> {
    const { embeddings, service, countEmbedded, log } = this.#deps;
    const asked = { orgId, texts: [text], purpose: "search", timeoutMs: VECTOR_WITHIN_MS } as const;
    const { vectors, tokens } = await embeddings.embed(asked);
    const [vector] = vectors;
    if (!vector) throw new EmbeddingsError("The embeddings service answered without a vector.");
    this.#vectors.set(orgId, text, vector);
    // The caller does not wait for the books.
    const used = { orgId, source: `embedding ${randomUUID()}`, model: service.model, tokens, channel };
    countEmbedded(used).catch((error: unknown) =>
      log.warn(
        { event: "embedding_not_counted", orgId, err: messageOf(error) },
        "failed to count the tokens of a search",
      ),
    );
    return vector;
  }
}
