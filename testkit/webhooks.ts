import { CALL_EVENTS_STREAM, type CallEvent, PROJECTOR_GROUP } from "@parley/shared/contracts/call-events.ts";
import type { Delivery, Webhook } from "@parley/shared/contracts/webhooks.ts";
import { newId } from "@parley/shared/ids.ts";
import { onTestFinished, vi } from "vitest";
import { TestControlApi } from "./control-api.ts";
import type { TestOrganization } from "./organization.ts";
import { TestReceiver } from "./receiver.ts";
import { SteppingClock } from "./stepping-clock.ts";

export interface TestEndpoint {
  readonly id: string;
  readonly secret: string;
  readonly receiver: TestReceiver;
}

type EndpointOptions = Record<string, unknown> & { answer?: Parameters<typeof TestReceiver.answering>[0] };

/** A control API that may call this machine, with endpoints and calls with events. */
export class TestWebhooks {
  readonly api: TestControlApi;
  readonly clock: SteppingClock;
  /** Number of events per session. */
  readonly #counts = new Map<string, number>();

  private constructor(api: TestControlApi, clock: SteppingClock) {
    this.api = api;
    this.clock = clock;
  }

  /** Options beyond those of a fresh embedded world go to the control API. */
  static async start({
    clock = new SteppingClock(),
    ...options
  }: Omit<NonNullable<Parameters<typeof TestControlApi.start>[0]>, "clock"> & {
    clock?: SteppingClock;
  } = {}): Promise<TestWebhooks> {
    const api = await TestControlApi.start({ clock, allowPrivateTargets: ["127.0.0.0/8"], ...options });
    await api.registerNode({ maxCalls: 10_000 });
    return new TestWebhooks(api, clock);
  }

  /** Registers a receiver with configured answers, until the test ends. */
  async endpoint(
    { orgId, keys }: TestOrganization,
    { answer = 200, ...body }: EndpointOptions = {},
  ): Promise<TestEndpoint> {
    const receiver = await TestReceiver.answering(answer);
    onTestFinished(() => receiver.close());
    const created = await this.api.call("POST", `/api/orgs/${orgId}/webhooks`, {
      key: keys.owner,
      body: { url: receiver.url, ...body },
    });
    if (created.status !== 201) throw new Error(`registering answered ${created.status}: ${created.text}`);
    const { id, signing_secret: secret } = created.body.data as { id: string; signing_secret: string };
    return { id, secret, receiver };
  }

  async startCall({ keys, agentId }: TestOrganization): Promise<string> {
    const body = { agentId, identifier: "customer-7" };
    const answer = await this.api.call("POST", "/api/sessions/init-web-call", { key: keys.owner, body });
    return (answer.body.data as { sessionId: string }).sessionId;
  }

  /** Puts a call's event on the durable stream, as its gateway would. */
  async happen(sessionId: string, orgId: string, event: Record<string, unknown>): Promise<void> {
    const seq = this.#counts.get(sessionId) ?? 0;
    this.#counts.set(sessionId, seq + 1);
    const at = new Date(this.clock.wallMs()).toISOString();
    const full = { id: newId("evt"), sessionId, orgId, seq, at, ...event } as unknown as CallEvent;
    await this.api.bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(full));
  }

  /** Resolves once all events are recorded and another millisecond has begun. */
  async recorded(): Promise<void> {
    const { streams } = this.api.bus;
    const isWritten = async () => (await streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP)) === 0;
    await vi.waitUntil(isWritten, 90_000);
    this.clock.pass(1);
  }

  press(sessionId: string, orgId: string, digit = "5"): Promise<void> {
    return this.happen(sessionId, orgId, { type: "call.dtmf", digit });
  }

  async deliveries({ orgId, keys }: TestOrganization, id: string, query = ""): Promise<Delivery[]> {
    const path = `/api/orgs/${orgId}/webhooks/${id}/deliveries${query}`;
    const { body } = await this.api.call("GET", path, { key: keys.viewer });
    return (body.data as { deliveries: Delivery[] }).deliveries;
  }

  async read({ orgId, keys }: TestOrganization, id: string): Promise<Webhook> {
    const answer = await this.api.call("GET", `/api/orgs/${orgId}/webhooks/${id}`, { key: keys.viewer });
    return answer.body.data as Webhook;
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
