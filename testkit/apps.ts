import { BridgeError } from "@parley/platform/wire/errors.ts";
import {
  type BridgeStreamMessage,
  FRAME_TOKEN_HEADER,
  REQUEST_QUERY,
  responseSchema,
  streamMessageSchema,
} from "@parley/platform/wire/messages.ts";
import { errorBodySchema } from "@parley/shared/contracts/envelope.ts";
import { zipSync } from "fflate";
import type { TestAnswer, TestControlApi } from "./control-api.ts";
import type { TestPerson } from "./person.ts";
import { sseData } from "./sse.ts";

/** Parts of a test's app; the defaults make the smallest possible app. */
export interface TestApp {
  readonly id?: string;
  readonly version?: string;
  readonly scopes?: readonly string[];
  /** More fields of the manifest. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly script?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export function bundleOf({
  id = "call-notes",
  version = "1.0.0",
  scopes = [],
  ...app
}: TestApp = {}): Uint8Array {
  const manifest = {
    ...{ id, name: `The app ${id}`, version, scopes },
    ui: { entry: "index.js", pages: [{ id: "panel", title: "Panel" }] },
    ...app.manifest,
  };
  const files = {
    "platform.app.json": JSON.stringify(manifest),
    "index.js": app.script ?? "export {};",
    ...app.files,
  };
  const encode = (text: string) => new TextEncoder().encode(text);
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, encode(text)])));
}

export function zipOf(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return zipSync(Object.fromEntries(files));
}

/** Publishes a zip as a person, in their own organization or another. */
export async function publishZip(
  person: TestPerson,
  zip: Uint8Array,
  { orgId = person.orgId, activate = true }: { readonly orgId?: string; readonly activate?: boolean } = {},
): Promise<TestAnswer> {
  const url = `${person.api.api.baseUrl}/api/orgs/${orgId}/apps/versions?activate=${activate}`;
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/zip",
      authorization: `Bearer ${person.accessToken}`,
      "x-org-id": orgId,
    },
    body: Buffer.from(zip),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** Publishes and installs an app; returns its id. */
export async function installApp(
  person: TestPerson,
  app: TestApp = {},
  orgId = person.orgId,
): Promise<string> {
  const published = await publishZip(person, bundleOf(app), { orgId });
  if (published.status !== 201) throw new Error(`publishing answered ${published.status}: ${published.text}`);
  const { id } = (published.body.data as { app: { id: string } }).app;
  await agree(person, id, app, orgId);
  return id;
}

/** Agrees to a version's scopes. */
export async function agree(
  person: TestPerson,
  appId: string,
  { version = "1.0.0", scopes = [] }: TestApp,
  orgId = person.orgId,
): Promise<void> {
  const path = `/api/orgs/${orgId}/apps/${appId}/install`;
  const answer = await person.call("PUT", path, { version, scopes }, orgId);
  if (answer.status !== 200) throw new Error(`installing answered ${answer.status}: ${answer.text}`);
}

export async function uninstallApp(person: TestPerson, appId: string): Promise<void> {
  const answer = await person.call("DELETE", `/api/orgs/${person.orgId}/apps/${appId}/install`);
  if (answer.status !== 200) throw new Error(`uninstalling answered ${answer.status}: ${answer.text}`);
}

/** Opens a frame for a person; returns the host's token. */
export async function openFrame(person: TestPerson, appId: string, orgId = person.orgId): Promise<string> {
  const answer = await person.call(
    "POST",
    `/api/orgs/${orgId}/apps/${appId}/frames`,
    { pageId: "panel" },
    orgId,
  );
  if (answer.status !== 201) throw new Error(`opening a frame answered ${answer.status}: ${answer.text}`);
  return (answer.body.data as { token: string }).token;
}

/** Lists an app for all organizations, as the operator does. */
export async function listForAll({ database }: TestControlApi, appId: string): Promise<void> {
  await database.db.updateTable("apps").set({ listed: true }).where("id", "=", appId).execute();
}

/** Acts as a frame's host: sends its calls to the server. */
export class TestBridge {
  readonly appId: string;
  readonly #person: TestPerson;
  readonly #orgId: string;
  token: string;
  #calls = 0;

  private constructor(person: TestPerson, appId: string, { orgId, token }: { orgId: string; token: string }) {
    this.#person = person;
    this.appId = appId;
    this.#orgId = orgId;
    this.token = token;
  }

  static async open(person: TestPerson, appId: string, orgId = person.orgId): Promise<TestBridge> {
    return new TestBridge(person, appId, { orgId, token: await openFrame(person, appId, orgId) });
  }

  /** The same frame used by another person, or in another organization. */
  as(person: TestPerson, orgId = this.#orgId): TestBridge {
    return new TestBridge(person, this.appId, { orgId, token: this.token });
  }

  /** Resolves to the result. Rejects with `BridgeError`. */
  async call(method: string, params: object = {}): Promise<unknown> {
    return settled(await (await this.#send("", this.#request(method, params))).json());
  }

  /** Calls a method with raw bytes; resolves to the answer's bytes, if any. */
  async callWithBytes(method: string, params: object, bytes: string | Buffer = ""): Promise<unknown> {
    const query = new URLSearchParams({ [REQUEST_QUERY]: this.#request(method, params) });
    const type = "application/octet-stream";
    const response = await this.#send(`/bytes?${query}`, Buffer.from(bytes), { type });
    if (response.headers.get("content-type") === type) return Buffer.from(await response.arrayBuffer());
    return settled(await response.json());
  }

  /**
   * Resolves, once subscribed, to a function that ends the subscription. Rejects with `BridgeError`; `onEnd`
   * receives a later end.
   */
  async subscribe(
    method: string,
    params: object,
    onEvent: (event: unknown) => void,
    onEnd: (error: unknown) => void = () => undefined,
  ): Promise<() => void> {
    const abort = new AbortController();
    const response = await this.#send("/stream", this.#request(method, params), { signal: abort.signal });
    const messages = eventsOf(response);
    const first = await messages.next();
    settled(first.value);
    const listen = async (): Promise<void> => {
      for await (const message of messages) {
        if (message.kind === "event") onEvent(message.event);
        if (message.kind === "error") onEnd(BridgeError.from(message.error));
      }
    };
    void listen().catch(() => undefined);
    return () => abort.abort();
  }

  /** Calls a method that streams its answer; resolves to the whole answer. Aborting disconnects the host. */
  async stream(
    method: string,
    params: object,
    { onEvent, signal }: { readonly onEvent?: (event: unknown) => void; readonly signal?: AbortSignal } = {},
  ): Promise<unknown> {
    const options = signal ? { signal } : {};
    const response = await this.#send("/stream", this.#request(method, params), options);
    for await (const message of eventsOf(response)) {
      if (message.kind !== "event") return settled(message);
      onEvent?.(message.event);
    }
    throw new Error("the stream ended without an answer");
  }

  #request(method: string, params: object): string {
    this.#calls += 1;
    return JSON.stringify({ kind: "request", id: this.#calls, method, params });
  }

  async #send(
    path: string,
    body: string | Buffer<ArrayBuffer>,
    { signal, type = "application/json" }: { readonly signal?: AbortSignal; readonly type?: string } = {},
  ): Promise<Response> {
    const { api, accessToken } = this.#person;
    return fetch(`${api.api.baseUrl}/api/orgs/${this.#orgId}/apps/${this.appId}/bridge${path}`, {
      method: "POST",
      headers: {
        "content-type": type,
        authorization: `Bearer ${accessToken}`,
        "x-org-id": this.#orgId,
        [FRAME_TOKEN_HEADER]: this.token,
      },
      body,
      ...(signal ? { signal } : {}),
    });
  }
}

const REFUSED_BODIES: readonly unknown[] = ["bad_request", "validation_failed"];

function settled(message: unknown): unknown {
  // What the API refuses before the bridge sees it, pages tell apps as the bridge would.
  const refusal = errorBodySchema.safeParse(message);
  if (refusal.success && REFUSED_BODIES.includes(refusal.data.code))
    throw new BridgeError("invalid_arguments", refusal.data.error);
  const parsed = responseSchema.parse(message);
  if (parsed.kind === "error") throw BridgeError.from(parsed.error);
  return parsed.result;
}

async function* eventsOf(response: Response): AsyncGenerator<BridgeStreamMessage> {
  for await (const data of sseData(response)) yield streamMessageSchema.parse(data);
}
