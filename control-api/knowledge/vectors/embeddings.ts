import { asJson } from "@parley/shared/brain/model/chunks.ts";
import { tokensOf } from "@parley/shared/brain/model/tokens.ts";
import { Circuits } from "@parley/shared/circuits.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { EmbeddingsConfig } from "@parley/shared/config/config.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Dispatchers } from "@parley/shared/net/egress.ts";
import { guardedRequest } from "@parley/shared/net/guarded-request.ts";
import { z } from "zod";

const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const RULES = { opensAfter: 5, coolDownMs: 10_000, bounds: { perOrg: 10, orgs: 1 } };
/** The service is the operator's, so all organizations share its circuit. */
const EVERYONE = "";
/** Statuses that mean these texts, not the key, the model or the moment. */
const TEXTS_REFUSED = new Set([400, 413, 422]);

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
  usage: z
    .object({ total_tokens: z.int().min(0) })
    .partial()
    .nullish(),
});

/** Why texts are embedded: each purpose has its own circuit, as a search waits only a moment. */
type EmbeddingPurpose = "search" | "documents";

/** The service gave no vectors. */
export class EmbeddingsError extends Error {
  override readonly name = "EmbeddingsError";
  /** These texts are refused; others may be embedded. */
  readonly isAboutTexts: boolean;

  constructor(message: string, { isAboutTexts = false } = {}) {
    super(message);
    this.isAboutTexts = isAboutTexts;
  }
}

export interface EmbeddingsDeps {
  readonly service: EmbeddingsConfig;
  readonly dispatchers: Dispatchers;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "embeddingsRequestsTotal" | "embeddingsSeconds">;
}

export interface ToEmbed {
  readonly orgId: string;
  readonly texts: readonly string[];
  readonly purpose: EmbeddingPurpose;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Embedded {
  /** One for each text, in order. */
  readonly vectors: readonly (readonly number[])[];
  /** As counted by the service, or estimated. */
  readonly tokens: number;
}

/** The operator's embeddings service, behind a circuit breaker. */
export class Embeddings {
  readonly #deps: EmbeddingsDeps;
  readonly #circuits: Circuits;

  constructor(deps: EmbeddingsDeps) {
    this.#deps = deps;
    this.#circuits = new Circuits(deps.clock, RULES);
  }

  /** Throws `EmbeddingsError`, or the signal's reason. */
  async embed(asked: ToEmbed): Promise<Embedded> {
    const { purpose } = asked;
    if (!this.#circuits.admits(EVERYONE, purpose))
      throw new EmbeddingsError(
        "The embeddings service failed several times; it is left alone for a moment.",
      );
    const { clock, metrics } = this.#deps;
    const began = clock.monotonicMs();
    try {
      const embedded = await this.#post(asked);
      this.#circuits.answered(EVERYONE, purpose);
      metrics.embeddingsRequestsTotal.inc({ purpose, outcome: "answered" });
      metrics.embeddingsSeconds.observe({ purpose }, (clock.monotonicMs() - began) / 1_000);
      return embedded;
    } catch (error) {
      asked.signal?.throwIfAborted();
      const isRefused = error instanceof EmbeddingsError && error.isAboutTexts;
      if (isRefused) this.#circuits.answered(EVERYONE, purpose);
      else this.#circuits.failed(EVERYONE, purpose);
      metrics.embeddingsRequestsTotal.inc({ purpose, outcome: isRefused ? "refused" : "failed" });
      throw error;
    }
  }

  async #post({ orgId, texts, timeoutMs, signal }: ToEmbed): Promise<Embedded> {
    const { service, dispatchers } = this.#deps;
    const { baseUrl, apiKey, model, dimensions } = service;
    const answer = await guardedRequest(dispatchers.of(orgId), embeddingsUrl(baseUrl), {
      method: "POST",
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        "content-type": "application/json",
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
      timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      ...(signal ? { signal } : {}),
    }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new EmbeddingsError(`The embeddings service gave no answer: ${error.message}`);
    });
    const { status, body } = answer;
    if (status < 200 || status >= 300) {
      throw new EmbeddingsError(`The embeddings service answered ${status}.`, {
        isAboutTexts: TEXTS_REFUSED.has(status),
      });
    }
    return readAnswer(body.toString("utf8"), texts, dimensions);
  }
}

function embeddingsUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/embeddings`;
  return url.href;
}

function readAnswer(body: string, texts: readonly string[], dimensions: number): Embedded {
  const parsed = answerSchema.safeParse(asJson(body));
  if (!parsed.success) throw new EmbeddingsError("The embeddings service answered with no embeddings.");
  const byIndex = new Map(parsed.data.data.map(({ index, embedding }) => [index, embedding]));
  const vectors = texts.map((_text, index) => byIndex.get(index) ?? []);
  const odd = vectors.find(({ length }) => length !== dimensions);
  if (odd) {
    const message = `The embeddings service answered with ${odd.length} numbers for a text; EMBEDDINGS_DIMENSIONS is ${dimensions}.`;
    throw new EmbeddingsError(message);
  }
  const chars = texts.reduce((sum, { length }) => sum + length, 0);
  return { vectors, tokens: parsed.data.usage?.total_tokens ?? tokensOf(chars) };
}
