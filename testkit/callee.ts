import type { PhoneStep } from "@parley/control-api/channels/carriers/loopback/script.ts";
import type { DeviceSession } from "@parley/shared/contracts/softphones.ts";
import type { CarrierName } from "@parley/shared/contracts/telephony.ts";
import { expect, onTestFinished } from "vitest";
import type { TestAnswer, TestControlApi } from "./control-api.ts";
import { memberOnly } from "./members.ts";
import type { TestPerson } from "./person.ts";

type Event = readonly [name: string, data: Record<string, unknown>];
const SOON = { timeout: 90_000, interval: 20 };
let numbers = 0;

/** A person's device, as notified of incoming calls. */
export class TestDevice {
  readonly #events: Event[];
  readonly #abort: AbortController;
  readonly ended: Promise<void>;

  private constructor(events: Event[], abort: AbortController, ended: Promise<void>) {
    this.#events = events;
    this.#abort = abort;
    this.ended = ended;
  }

  /** Resolves when notifications are active. */
  static async listen(person: TestPerson, orgId: string, api: TestControlApi): Promise<TestDevice> {
    const abort = new AbortController();
    const response = await fetch(`${api.api.baseUrl}/api/me/incoming-calls`, {
      signal: abort.signal,
      headers: { authorization: `Bearer ${person.accessToken}`, "x-org-id": orgId },
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events: Event[] = [];
    const read = async (): Promise<void> => {
      let text = "";
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        const all = [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)];
        events.splice(
          0,
          events.length,
          ...all.map(([, name = "", data = ""]): Event => [name, JSON.parse(data)]),
        );
      }
    };
    const device = new TestDevice(
      events,
      abort,
      read().catch(() => undefined),
    );
    onTestFinished(() => device.leave());
    return device;
  }

  /** Waits until the device was told this about a call: `ringing`, or why it is gone. */
  async untilTold(sessionId: string, ...told: string[]): Promise<void> {
    await expect.poll(() => this.told(sessionId), SOON).toEqual(told);
  }

  /** Notifications about a call so far. */
  told(sessionId: string): string[] {
    return this.#events
      .filter(([, data]) => data.sessionId === sessionId)
      .map(([name, data]) => (name === "gone" ? String(data.reason) : name));
  }

  dataOf(sessionId: string): Record<string, unknown> | undefined {
    return this.#events.find(([, data]) => data.sessionId === sessionId)?.[1];
  }

  leave(): void {
    this.#abort.abort();
  }
}

/** A member with their own number, and devices that ring for it. */
export class TestCallee {
  readonly api: TestControlApi;
  readonly orgId: string;
  readonly person: TestPerson;
  readonly number: string;

  private constructor(parts: Pick<TestCallee, "api" | "orgId" | "person" | "number">) {
    this.api = parts.api;
    this.orgId = parts.orgId;
    this.person = parts.person;
    this.number = parts.number;
  }

  /** `key`: the organization's, with a writing role. */
  static async create(
    api: TestControlApi,
    { orgId, key, carrier = "loopback" }: { orgId: string; key: string; carrier?: CarrierName },
  ): Promise<TestCallee> {
    const person = await memberOnly(api, orgId, "developer");
    numbers += 1;
    const number = `+1202555${4_000 + numbers}`;
    const body = { number, carrier, userId: person.userId };
    expect((await api.call("POST", "/api/v1/numbers", { key, body })).status).toBe(201);
    return new TestCallee({ api, orgId, person, number });
  }

  listen(api = this.api): Promise<TestDevice> {
    return TestDevice.listen(this.person, this.orgId, api);
  }

  /** Sends a request as this member. */
  call(method: string, path: string, body?: unknown, api = this.api): Promise<TestAnswer> {
    const { accessToken: token } = this.person;
    return api.call(method, path, { token, orgId: this.orgId, ...(body === undefined ? {} : { body }) });
  }

  /** Simulates a call to them; the caller plays `script` once answered. */
  async ring(script: readonly PhoneStep[], from = "+12025550177"): Promise<{ sessionId: string }> {
    const body = { to: this.number, from, script };
    const answer = await this.call("POST", `/api/orgs/${this.orgId}/loopback-calls`, body);
    if (answer.status !== 201) throw new Error(`calling in answered ${answer.status}: ${answer.text}`);
    return answer.body.data as { sessionId: string };
  }

  /** Answers on one of their devices. */
  async answer(sessionId: string, api = this.api): Promise<DeviceSession> {
    const answer = await this.call("POST", `/api/sessions/${sessionId}/answer`, undefined, api);
    if (answer.status !== 200) throw new Error(`answering answered ${answer.status}: ${answer.text}`);
    return answer.body.data as DeviceSession;
  }
}
