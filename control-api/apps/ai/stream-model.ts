import type { LlmRequest } from "@parley/platform/methods/ai.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { BrainError } from "@parley/shared/brain/brain-error.ts";
import { ChunkReader } from "@parley/shared/brain/model/chunks.ts";
import { readEvents } from "@parley/shared/brain/sse.ts";
import { asAppError } from "@parley/shared/net/guarded-request.ts";
import { request as httpRequest } from "undici";
import { z } from "zod";
import type { OrganizationModel } from "../../agents/models/organization-models.ts";
import {
  asJson,
  type Completion,
  chatPost,
  type Delivery,
  TIMEOUT_MS,
  usageOf,
  usageSchema,
} from "./chat-request.ts";

/** Statuses of services that reject an unknown field. */
const BAD_REQUEST = new Set([400, 422]);

const countedSchema = z.object({ usage: usageSchema });

/** A model's answer in progress: the text so far can be read, and is charged, at any time. */
export class StreamedAnswer {
  readonly #model: OrganizationModel;
  readonly #request: LlmRequest;
  #text = "";
  #counted: z.infer<typeof usageSchema> | undefined;

  constructor(model: OrganizationModel, request: LlmRequest) {
    this.#model = model;
    this.#request = request;
  }

  /** The completion so far; undefined until the model says something. */
  get completion(): Completion | undefined {
    if (this.#text === "" && this.#counted === undefined) return undefined;
    return { text: this.#text, usage: usageOf(this.#request, this.#text, this.#counted) };
  }

  /**
   * Requests the answer and passes each piece to `onToken`; aborting closes the connection to the model's service.
   * Throws `BridgeError` vendor_failed, `AppError` as `guardedRequest`, and the reason of `signal`.
   */
  async read(signal: AbortSignal, onToken: (token: string) => void): Promise<Completion> {
    const deadline = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const either = AbortSignal.any([signal, deadline]);
      const counted = await this.#ask("counted", either);
      // Some services reject the option that counts tokens.
      const wasRefused = "refusal" in counted && BAD_REQUEST.has(counted.refusal);
      const answer = wasRefused ? await this.#ask("streamed", either) : counted;
      if ("refusal" in answer)
        throw new BridgeError("vendor_failed", `The model's service answered ${answer.refusal}.`);
      await this.#readChunks(answer.body, onToken);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof BridgeError) throw error;
      if (error instanceof BrainError) throw new BridgeError("vendor_failed", error.message);
      throw asAppError(error, deadline, TIMEOUT_MS);
    }
    return this.completion ?? { text: "", usage: usageOf(this.#request, "", undefined) };
  }

  async #ask(
    delivery: Delivery,
    signal: AbortSignal,
  ): Promise<{ readonly body: AsyncIterable<Uint8Array> } | { readonly refusal: number }> {
    const { service } = this.#model;
    const { statusCode, body } = await httpRequest(service.url.href, {
      ...chatPost(this.#model, this.#request, delivery),
      dispatcher: service.dispatcher,
      signal,
    });
    if (statusCode === 200) return { body };
    void body.dump().catch(() => undefined);
    return { refusal: statusCode };
  }

  async #readChunks(body: AsyncIterable<Uint8Array>, onToken: (token: string) => void): Promise<void> {
    const reader = new ChunkReader();
    for await (const data of readEvents(body)) {
      const reading = reader.read(data);
      if (reading.type === "done") break;
      this.#counted = countedSchema.safeParse(asJson(data)).data?.usage ?? this.#counted;
      if (reading.type === "nothing" || reading.part.text === "") continue;
      this.#text += reading.part.text;
      onToken(reading.part.text);
    }
    if (reader.isComplete) return;
    throw new BridgeError("vendor_failed", "The model's answer ended before it was complete.");
  }
}
