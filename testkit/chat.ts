import type { BrainTurn } from "./brain.ts";
import { TestBrain } from "./brain.ts";
import type { TestAnswer, TestControlApi } from "./control-api.ts";
import { createOrganization, type TestOrganization } from "./organization.ts";

/** A chat's answer, as tests inspect it. */
export interface ChatAnswer extends TestAnswer {
  readonly sessionId: string;
}

/** An organization whose agent's brain a test writes, and end users who chat with that agent. */
export class TestChats {
  readonly organization: TestOrganization;
  readonly brain: TestBrain;
  readonly #api: TestControlApi;

  private constructor(parts: { api: TestControlApi; brain: TestBrain; organization: TestOrganization }) {
    this.#api = parts.api;
    this.brain = parts.brain;
    this.organization = parts.organization;
  }

  /** Calls `answer` for each turn, like `TestBrain`. */
  static async start(
    api: TestControlApi,
    answer: (turn: BrainTurn) => void,
    settings: Record<string, unknown> = {},
  ): Promise<TestChats> {
    const brain = await TestBrain.start(answer);
    const organization = await createOrganization(api.database, { brain: { url: brain.url }, ...settings });
    return new TestChats({ api, brain, organization });
  }

  /** Changes settings of the agent. */
  async change(settings: Record<string, unknown>): Promise<void> {
    const { agentId, keys } = this.organization;
    const change = { key: keys.developer, body: settings };
    const { status, text } = await this.#api.call("PATCH", `/api/agents/${agentId}`, change);
    if (status !== 200) throw new Error(`changing the agent answered ${status}: ${text}`);
  }

  /** Connects the built-in shop to the agent's organization; returns the connection's id. */
  async connectShop(): Promise<string> {
    const key = this.organization.keys.developer;
    const body = { providerId: "demo-shop" };
    const made = await this.#api.call("POST", "/api/v1/integrations/connections", { key, body });
    if (made.status !== 201) throw new Error(`connecting answered ${made.status}: ${made.text}`);
    return (made.body.connection as { id: string }).id;
  }

  /** Sends a message as `customer-7`; `over` changes the body, and `api` the process. */
  async say(
    input: string,
    over: Record<string, unknown> = {},
    { api = this.#api, key = this.organization.keys.viewer, headers = {} as Record<string, string> } = {},
  ): Promise<ChatAnswer> {
    const body = { agentId: this.organization.agentId, identifier: "customer-7", input, ...over };
    const answer = await api.call("POST", "/api/v1/chat", { key, headers, body });
    return { ...answer, sessionId: String(answer.body.sessionId) };
  }

  messages(sessionId: string, api = this.#api): Promise<TestAnswer> {
    return api.call("GET", `/api/v1/chat/${sessionId}/messages`, { key: this.organization.keys.viewer });
  }

  end(sessionId: string, api = this.#api): Promise<TestAnswer> {
    return api.call("POST", `/api/v1/chat/${sessionId}/end`, { key: this.organization.keys.developer });
  }

  /** The record of a chat's call. */
  async record(sessionId: string, api = this.#api): Promise<Record<string, unknown>> {
    return (await api.call("GET", `/api/v1/calls/${sessionId}`, { key: this.organization.keys.viewer })).body;
  }

  close(): void {
    this.brain.close();
  }
}

/** Sends a message and reads all the events of the answer. */
export async function readStreamed(
  { api }: TestControlApi,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: object },
): Promise<{ status: number; text: string }> {
  const response = await fetch(api.baseUrl + path, {
    method: "POST",
    headers: { accept: "text/event-stream", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

export type StreamedEvent = readonly [name: string, data: Record<string, unknown>];

/** The events in a text, without comments. */
export function eventsIn(text: string): StreamedEvent[] {
  return [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, name = "", data = ""]) => [
    name,
    JSON.parse(data),
  ]);
}
