import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { fakeEmbedding } from "./fake-embedding.ts";

const askedSchema = z.object({ model: z.string(), input: z.array(z.string()).min(1) });

/** How the service misbehaves: it refuses with a status, never answers, or answers with vectors of other lengths. */
export type EmbeddingsFault =
  | { readonly status: number }
  | { readonly kind: "hang" }
  | { readonly dimensions: number };

export interface EmbeddingsAsked {
  readonly model: string;
  readonly input: readonly string[];
  readonly authorization: string | undefined;
}

export interface FakeEmbeddings {
  /** Includes the version. */
  readonly url: string;
  readonly asked: readonly EmbeddingsAsked[];
  /** Sets a fault for requests that it returns one for; undefined: none. */
  break(fault: ((asked: EmbeddingsAsked) => EmbeddingsFault | undefined) | undefined): void;
  close(): Promise<void>;
}

/**
 * An OpenAI-compatible `/v1/embeddings` that counts words instead of understanding them: texts are near to each other
 * when their words are alike (`fake-embedding.ts`).
 */
export async function startFakeEmbeddings({
  dimensions = 256,
  port = 0,
}: {
  readonly dimensions?: number;
  readonly port?: number;
} = {}): Promise<FakeEmbeddings> {
  const asked: EmbeddingsAsked[] = [];
  let faultOf: (asked: EmbeddingsAsked) => EmbeddingsFault | undefined = () => undefined;
  const server = createServer(async (request, response) => {
    const parsed = askedSchema.safeParse(JSON.parse(await bodyOf(request)));
    if (request.url !== "/v1/embeddings" || !parsed.success) return refuse(response, 400);
    const { authorization } = request.headers;
    const one = { ...parsed.data, authorization };
    asked.push(one);
    const fault = faultOf(one);
    if (fault && "kind" in fault) return undefined;
    if (fault && "status" in fault) return refuse(response, fault.status);
    return answer(response, one, fault?.dimensions ?? dimensions);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    break: (fault) => {
      faultOf = fault ?? (() => undefined);
    },
    close: () => closed(server),
  };
}

function answer(response: ServerResponse, { model, input }: EmbeddingsAsked, dimensions: number): void {
  const data = input.map((text, index) => ({
    object: "embedding",
    index,
    embedding: fakeEmbedding(text, { model, dimensions }),
  }));
  const tokens = input.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  const body = JSON.stringify({ object: "list", data, model, usage });
  response.writeHead(200, { "content-type": "application/json" }).end(body);
}

function refuse(response: ServerResponse, status: number): void {
  const error = { message: "It went wrong.", type: "invalid_request_error", param: null, code: null };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
