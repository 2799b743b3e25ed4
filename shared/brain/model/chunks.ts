import { z } from "zod";
import { BrainError } from "../brain-error.ts";
import type { Reading } from "../exchange.ts";
import type { CountedTokens } from "./tokens.ts";

const callDeltaSchema = z.object({
  index: z.number().int().min(0).optional(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});
/** A piece of a tool call; the pieces of one call share an index. */
export type CallDelta = z.infer<typeof callDeltaSchema>;

/** What one chunk adds to an answer. */
export interface ChunkPart {
  readonly text: string;
  readonly calls: readonly CallDelta[];
}

const deltaSchema = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(callDeltaSchema).nullish(),
});
const chunkSchema = z.object({
  choices: z.array(z.object({ delta: deltaSchema.nullish(), finish_reason: z.string().nullish() })),
});
const errorSchema = z.object({ error: z.unknown() });
const usageSchema = z.object({
  usage: z.object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) }),
});

const DONE = "[DONE]";

/** Reads the chunks of one streamed chat completion. */
export class ChunkReader {
  #isComplete = false;
  #tokens: CountedTokens | undefined;

  /** True once the model said that it was done; a stream may end without saying so. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The usage the service reported for the answer; undefined until it does, and always for services that never do. */
  get tokens(): CountedTokens | undefined {
    return this.#tokens;
  }

  /** Throws `BrainError` when an error arrives in place of a chunk. */
  read(data: string): Reading<ChunkPart> {
    if (data.trim() === DONE) {
      this.#isComplete = true;
      return { type: "done" };
    }
    const value = asJson(data);
    const chunk = chunkSchema.safeParse(value);
    if (!chunk.success) {
      if (errorSchema.safeParse(value).success) {
        throw new BrainError("status", `The model gave up in its answer${codeIn(value)}.`);
      }
      return { type: "nothing" };
    }
    // The last chunk before [DONE] may have no choice, only the usage; some services report a running usage in each
    // chunk.
    const counted = usageSchema.safeParse(value).data?.usage;
    if (counted)
      this.#tokens = { inputTokens: counted.prompt_tokens, outputTokens: counted.completion_tokens };
    const [choice] = chunk.data.choices;
    if (choice?.finish_reason) this.#isComplete = true;
    const text = (choice?.delta?.content ?? "") + (choice?.delta?.refusal ?? "");
    const calls = choice?.delta?.tool_calls ?? [];
    return text === "" && calls.length === 0 ? { type: "nothing" } : { type: "part", part: { text, calls } };
  }
}

const codedSchema = z.object({ error: z.object({ code: z.unknown(), type: z.unknown() }).partial() });
const CODE = /^[a-z0-9_.-]{1,64}$/i;

/** ` (invalid_api_key)`, from an error's body. The body's message is left out: some services repeat the key there. */
export function codeIn(value: unknown): string {
  const parsed = codedSchema.safeParse(value);
  const { code, type } = parsed.success ? parsed.data.error : {};
  const name = [code, type].find((word) => typeof word === "string" && CODE.test(word));
  return typeof name === "string" ? ` (${name})` : "";
}

/** Parses JSON; undefined when the text is none. */
export function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
