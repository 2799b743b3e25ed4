import type { LlmRequest } from "@parley/platform/methods/ai.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { BrainError } from "@parley/shared/brain/brain-error.ts";
import { ChunkReader } from "@parley/shared/brain/model/chunks.ts";
import { readEvents } from "@parley/shared/brain/sse.ts";
import { asAppError } from "@parley/shared/net/guarded-request.ts";
import { request as httpRequest } from "undici";
import { z } from "zod";
import { asJson, type Completion, chatPost, TIMEOUT_MS, usageOf, usageSchema } from "./chat-request.ts";
import type { OrganizationModel } from "./organization-models.ts";

const countedSchema = z.object({ usage: usageSchema });

/** An answer of a model while it is written: what there is of it can be read at any time, and is charged. */
export class StreamedAnswer {
  readonly #model: OrganizationModel;
  readonly #request: LlmRequest;
  #text = "";
  #counted: z.infer<typeof usageSchema> | undefined;

  constructor(model: OrganizationModel, request: LlmRequest) {
    this.#model = model;
    this.#request = request;
  }

  /** So far; undefined while the model has said nothing. */
  get completion(): Completion | undefined {
    if (this.#text === "" && this.#counted === undefined) return undefined;
    return { text: this.#text, usage: usageOf(this.#request, this.#text, this.#counted) };
  }

  /**
   * Asks once, and gives each piece to `onToken` as it comes; aborted, the connection to the model's service is closed.
   * Throws `BridgeError` vendor_failed, `AppError` as `guardedRequest`, and the reason of `signal`.
   */
  async read(signal: AbortSignal, onToken: (token: string) => void): Promise<Completion> {
    const { service } = this.#model;
    const deadline = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const { statusCode, body } = await httpRequest(service.url.href, {
        ...chatPost(this.#model, this.#request, true),
        dispatcher: service.dispatcher,
        signal: AbortSignal.any([signal, deadline]),
      });
      if (statusCode !== 200) {
        void body.dump().catch(() => undefined);
        throw new BridgeError("vendor_failed", `The model's service answered ${statusCode}.`);
      }
      await this.#readChunks(body, onToken);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof BridgeError) throw error;
      if (error instanceof BrainError) throw new BridgeError("vendor_failed", error.message);
      throw asAppError(error, deadline, TIMEOUT_MS);
    }
    return this.completion ?? { text: "", usage: usageOf(this.#request, "", undefined) };
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
