import { z } from "zod";
import { http, optional, standard, text, whole } from "./field.ts";

/** Beyond this, no index of pgvector takes a vector. */
const DIMENSIONS_MAX = 2_000;

const similarity = z
  .string()
  .regex(/^(0(\.\d{1,3})?|1(\.0{1,3})?)$/, "a number from 0 to 1, such as 0.25")
  .transform(Number);

/** The service that turns texts into vectors, so that searches find what is meant as well as what is said. */
export const EMBEDDINGS_FIELDS = {
  EMBEDDINGS_URL: optional(
    http,
    "Base of an OpenAI-compatible embeddings service, such as https://api.openai.com/v1: knowledge bases and records of apps are then searched by meaning as well (docs/knowledge.md#by-meaning); without it by words alone.",
  ),
  EMBEDDINGS_API_KEY: optional(text, "Its key, if it needs one.", { secret: true }),
  EMBEDDINGS_MODEL: standard(
    text,
    "text-embedding-3-small",
    "Its model. Another one embeds every document again.",
  ),
  EMBEDDINGS_DIMENSIONS: standard(
    whole(`a number from 1 to ${DIMENSIONS_MAX}`, 1, DIMENSIONS_MAX),
    "1536",
    "How many numbers the model answers with.",
  ),
  EMBEDDINGS_MIN_SIMILARITY: standard(
    similarity,
    "0.25",
    "Cosine similarity below which a passage has nothing to do with a question; it depends on the model.",
  ),
} as const;
