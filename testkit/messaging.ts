import { newId } from "@parley/shared/ids.ts";
import { vi } from "vitest";
import { type BrainTurn, TestBrain } from "./brain.ts";
import type { TestAnswer, TestControlApi } from "./control-api.ts";
import type { FakeGraphApi, FakeNumber } from "./fakes/messaging/graph-api.ts";
import type { FakeAccount, FakeInstagram } from "./fakes/messaging/instagram.ts";
import { TestPerson } from "./person.ts";

type Json = Record<string, unknown>;
const SOON = { timeout: 90_000, interval: 20 };

/** An organization with a WhatsApp number answered by an agent whose brain a test writes. */
export class TestWhatsApp {
  readonly api: TestControlApi;
  readonly graph: FakeGraphApi;
  readonly brain: TestBrain;
  readonly person: TestPerson;
  readonly number: FakeNumber;
  readonly agentId: string;
  readonly channelId: string;
  readonly callbackUrl: string;
  readonly verifyToken: string;

  private constructor(
    parts: Pick<
      TestWhatsApp,
      | "api"
      | "graph"
      | "brain"
      | "person"
      | "number"
      | "agentId"
      | "channelId"
      | "callbackUrl"
      | "verifyToken"
    >,
  ) {
    this.api = parts.api;
    this.graph = parts.graph;
    this.brain = parts.brain;
    this.person = parts.person;
    this.number = parts.number;
    this.agentId = parts.agentId;
    this.channelId = parts.channelId;
    this.callbackUrl = parts.callbackUrl;
    this.verifyToken = parts.verifyToken;
  }

  /** `api` must be started with the Graph API's address in its environment: `graphEnv`. */
  static async start(
    api: TestControlApi,
    graph: FakeGraphApi,
    answer: (turn: BrainTurn) => void,
  ): Promise<TestWhatsApp> {
    const person = await TestPerson.register(api);
    const brain = await TestBrain.start(answer);
    const agent = await person.call("POST", "/api/agents", { name: "Anna", brain: { url: brain.url } });
    const agentId = (agent.body.data as { id: string }).id;
    const number = graph.addNumber();
    const { phoneNumberId, businessAccountId, accessToken, appSecret } = number;
    const given = { phoneNumberId, businessAccountId, accessToken, appSecret, agentId };
    const path = `/api/orgs/${person.orgId}/whatsapp-cloud/channels`;
    const connected = await person.call("POST", path, given);
    if (connected.status !== 201)
      throw new Error(`connecting answered ${connected.status}: ${connected.text}`);
    const { id, webhook } = connected.body.data as { id: string; webhook: Record<string, string> };
    const { callbackUrl = "", verifyToken = "" } = webhook;
    return new TestWhatsApp({
      api,
      graph,
      brain,
      person,
      number,
      agentId,
      channelId: id,
      callbackUrl,
      verifyToken,
    });
  }

  /** Posts a signed WhatsApp webhook; returns the answer's status. */
  post(body: unknown): Promise<number> {
    return this.graph.post(this.callbackUrl, this.number, body);
  }

  /** Sends a contact's text. */
  async say(from: string, text: string, more: Json = {}): Promise<void> {
    await this.receive(from, { type: "text", text: { body: text }, ...more });
  }

  /** Sends a contact's message of any type. */
  async receive(from: string, message: Json): Promise<void> {
    const status = await this.post(this.graph.inbound(this.number, from, message));
    if (status !== 200) throw new Error(`the webhook answered ${status}`);
  }

  /** A request to the organization's channels. */
  call(method: string, path: string, body?: unknown): Promise<TestAnswer> {
    return this.person.call(method, `/api/orgs/${this.person.orgId}${path}`, body);
  }

  /** Signs in again, once the access token has expired. */
  async signInAgain(): Promise<void> {
    const { body } = await this.person.logIn();
    const { tokens } = body.data as { tokens: { accessToken: string } };
    this.person.accessToken = tokens.accessToken;
  }

  /** Waits until a contact has received `count` texts; returns them. */
  async textsTo(contact: string, count: number): Promise<string[]> {
    return vi.waitFor(() => {
      const texts = this.graph.textsTo(contact);
      if (texts.length < count)
        throw new Error(`${texts.length} of ${count} messages came: ${texts.join(" | ")}`);
      return texts;
    }, SOON);
  }

  close(): void {
    this.brain.close();
  }
}

/** An Instagram account that an agent answers, and where Meta is to post. */
export interface ConnectedAccount {
  readonly account: FakeAccount;
  readonly channel: {
    readonly id: string;
    readonly webhook: { readonly callbackUrl: string; readonly verifyToken: string };
  };
}

/** Connects a new Instagram account to a person's organization; `agentId` answers it. */
export async function connectInstagram(
  person: TestPerson,
  instagram: FakeInstagram,
  agentId: string,
): Promise<ConnectedAccount> {
  const account = instagram.addAccount();
  const { accessToken, appSecret } = account;
  const path = `/api/orgs/${person.orgId}/instagram/channels`;
  const connected = await person.call("POST", path, { accessToken, appSecret, agentId });
  if (connected.status !== 201) throw new Error(`connecting answered ${connected.status}: ${connected.text}`);
  return { account, channel: connected.body.data as ConnectedAccount["channel"] };
}

/**
 * Resolves once nothing waits to be answered or sent. A fault that comes next meets the message that it is meant for, and
 * no other contact's.
 */
export async function untilQuiet({ database: { db } }: TestControlApi): Promise<void> {
  await vi.waitFor(async () => {
    const left = await db
      .selectFrom("jobs")
      .select(["kind", "payload"])
      .where("kind", "in", ["answer_thread", "send_thread", "pull_message_media"])
      .where("state", "in", ["waiting", "running"])
      .execute();
    if (left.length > 0) throw new Error(`there is still to do: ${JSON.stringify(left)}`);
  }, SOON);
}

/** A number that is unique within the test. */
export function newContact(): string {
  return `31${Number.parseInt(newId("key").slice(-9), 16)}`.slice(0, 11);
}

/** Environment that points a control API at a fake. */
export function graphEnv(graph: FakeGraphApi): Record<string, string> {
  return { INTEGRATION_URLS: `whatsapp=${graph.url}` };
}
