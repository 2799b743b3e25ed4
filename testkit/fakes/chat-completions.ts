import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChatMessage } from "@parley/shared/brain/model/messages.ts";
import type { ToolDefinition } from "@parley/shared/brain/tools/definitions.ts";

/** A request as the endpoint received it. */
export interface ChatAsked {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDefinition[];
  readonly tool_choice?: string;
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly stream?: boolean;
  /** For requests that expect JSON. */
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly name: string; readonly strict: boolean; readonly schema: object };
  };
  readonly stream_options?: { readonly include_usage?: boolean };
}

/** The model's reaction to a request. */
export interface ChatAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
  /** Replaces the answer, with a JSON body like OpenAI's. */
  readonly error?: { readonly status: number; readonly code: string };
  /** Reported token usage, input and output; also in streams where requested. */
  readonly used?: readonly [number, number];
  /** Afterwards, the connection drops, stays silent, or sends an error as a chunk. */
  readonly then?: "die" | "stall" | "error";
}

export type ChatModel = (asked: ChatAsked) => ChatAnswer;

/** For manual runs: repeats what it hears, and calls the first tool it hears named. */
export const echoModel: ChatModel = ({ messages, tools = [] }) => {
  const last = messages.at(-1);
  if (last?.role === "tool") return { text: `The tool says: ${last.content}` };
  const heard = String(last?.content ?? "");
  const named = tools.find(({ function: { name } }) => heard.includes(name));
  if (named) return { text: "One moment. ", calls: [{ name: named.function.name, arguments: "{}" }] };
  return { text: `You said: ${heard}` };
};

const CALL_PIECE_CHARS = 7;

/** Answers one `POST /chat/completions` like OpenAI, in chunks or as a whole. */
export function answerChat(body: string, response: ServerResponse, model: ChatModel): void {
  const asked = JSON.parse(body) as ChatAsked;
  const { text = "", calls = [], error, then, used = [1, 1] } = model(asked);
  if (error) {
    refuse(response, error.status, error.code);
    return;
  }
  if (asked.stream !== true) {
    answerWhole(response, asked, text);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const chunk = (choices: readonly object[], more = {}): void => {
    const head = { id: "chatcmpl-fake", object: "chat.completion.chunk", created: 1, model: asked.model };
    response.write(`data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`);
  };
  const delta = (piece: object, finish: string | null = null): void =>
    chunk([{ index: 0, delta: piece, logprobs: null, finish_reason: finish }]);
  delta({ role: "assistant", content: calls.length > 0 && text === "" ? null : "" });
  for (const word of text.split(/(?<= )/)) if (word !== "") delta({ content: word });
  calls.forEach((call, index) => {
    const named = { name: call.name, arguments: "" };
    delta({ tool_calls: [{ index, id: `call_${index}_${call.name}`, type: "function", function: named }] });
    for (let at = 0; at < call.arguments.length; at += CALL_PIECE_CHARS) {
      const piece = { arguments: call.arguments.slice(at, at + CALL_PIECE_CHARS) };
      delta({ tool_calls: [{ index, function: piece }] });
    }
  });
  if (then === "stall") return;
  if (then === "die") {
    setImmediate(() => response.destroy());
    return;
  }
  if (then === "error") response.write(`data: ${errorBody("server_error")}\n\n`);
  else delta({}, calls.length > 0 ? "tool_calls" : "stop");
  if (asked.stream_options?.include_usage)
    chunk([], { usage: { prompt_tokens: used[0], completion_tokens: used[1] } });
  response.end("data: [DONE]\n\n");
}

function answerWhole(response: ServerResponse, { model }: ChatAsked, content: string): void {
  const message = { role: "assistant", content, refusal: null };
  const completion = {
    id: "chatcmpl-fake",
    object: "chat.completion",
    created: 1,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(completion));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(errorBody(code));
}

function errorBody(code: string): string {
  const message = `It went wrong, and this text may repeat the key: ${code}.`;
  return JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code } });
}

export interface FakeChat {
  /** Includes the version. */
  readonly url: string;
  readonly asked: readonly ChatAsked[];
  /** Authorization header of each request, in order. */
  readonly authorizations: readonly (string | undefined)[];
  /** How many answers the client abandoned before they were complete. */
  readonly abandoned: () => number;
  close(): void;
}

/** A loopback server with only `/v1/chat/completions`; refuses any key but `apiKey` with 401. */
export async function startFakeChat({
  model = echoModel,
  apiKey,
}: {
  model?: ChatModel;
  apiKey?: string;
} = {}): Promise<FakeChat> {
  const asked: ChatAsked[] = [];
  const authorizations: (string | undefined)[] = [];
  let abandoned = 0;
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    response.on("close", () => {
      if (!response.writableEnded) abandoned += 1;
    });
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { authorization } = request.headers;
      authorizations.push(authorization);
      if (request.url !== "/v1/chat/completions") return refuse(response, 404, "unknown_url");
      if (apiKey !== undefined && authorization !== `Bearer ${apiKey}`)
        return refuse(response, 401, "invalid_api_key");
      const body = Buffer.concat(chunks).toString("utf8");
      asked.push(JSON.parse(body) as ChatAsked);
      answerChat(body, response, model);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    authorizations,
    abandoned: () => abandoned,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
