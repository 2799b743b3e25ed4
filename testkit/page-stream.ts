import {
  type BridgeResponse,
  bridgePaths,
  FRAME_TOKEN_HEADER,
  responseSchema,
} from "@parley/platform/wire/messages.ts";
import type { TestBridge } from "./apps.ts";
import type { TestPerson } from "./person.ts";
import { sseData } from "./sse.ts";

interface Heard {
  readonly id: number;
  readonly event: { readonly data: unknown };
}

/** A page of the dashboard with one stream for the subscriptions of its frames. */
export class TestPageStream {
  /** Events, in the order they came. */
  readonly heard: Heard[] = [];
  readonly #person: TestPerson;
  readonly #streamId: string;
  readonly #stop: AbortController;

  private constructor(person: TestPerson, streamId: string, stop: AbortController) {
    this.#person = person;
    this.#streamId = streamId;
    this.#stop = stop;
  }

  static async open(person: TestPerson): Promise<TestPageStream> {
    const stop = new AbortController();
    const { streams } = bridgePaths(person.orgId, "");
    const response = await send(person, streams, {}, { signal: stop.signal });
    const messages = sseData(response);
    const { value: opened } = await messages.next();
    const stream = new TestPageStream(person, (opened as { streamId: string }).streamId, stop);
    const listen = async (): Promise<void> => {
      for await (const message of messages) stream.heard.push(message as Heard);
    };
    listen().catch(() => undefined);
    return stream;
  }

  /** The same stream in the hands of another person. */
  as(person: TestPerson): TestPageStream {
    return new TestPageStream(person, this.#streamId, this.#stop);
  }

  put(bridge: TestBridge, request: object): Promise<BridgeResponse> {
    return this.#send(bridge, { kind: "request", ...request });
  }

  take(bridge: TestBridge, id: number): Promise<BridgeResponse> {
    return this.#send(bridge, { kind: "cancel", id });
  }

  close(): void {
    this.#stop.abort();
  }

  async #send({ appId, token }: TestBridge, body: object): Promise<BridgeResponse> {
    const path = bridgePaths(this.#person.orgId, appId).into(this.#streamId);
    const response = await send(this.#person, path, body, { headers: { [FRAME_TOKEN_HEADER]: token } });
    return responseSchema.parse(await response.json());
  }
}

function send(
  { api, orgId, accessToken }: TestPerson,
  path: string,
  body: object,
  { headers = {}, signal }: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal },
): Promise<Response> {
  return fetch(`${api.api.baseUrl}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${accessToken}`,
      "x-org-id": orgId,
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}
