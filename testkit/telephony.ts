import { rm } from "node:fs/promises";
import type { PhoneVoice } from "@parley/control-api/channels/carriers/loopback/phone-voice.ts";
import { type PhoneScript, scriptOf } from "@parley/control-api/channels/carriers/loopback/script.ts";
import { readWav } from "@parley/media/wav/wav-reader.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { request } from "@parley/shared/bus/request-reply.ts";
import { systemClock } from "@parley/shared/clock.ts";
import type { CallRecord } from "@parley/shared/contracts/calls.ts";
import type { PlacedCall } from "@parley/shared/contracts/telephony.ts";
import { expect, vi } from "vitest";
import { type BrainTurn, TestBrain } from "./brain.ts";
import { type TestAnswer, TestControlApi } from "./control-api.ts";
import { TestGateway } from "./gateway.ts";
import type { TestOrganization } from "./organization.ts";

export const OUR_NUMBER = "+12025550123";

interface TelephonyOptions {
  readonly answer?: string;
  readonly brain?: (turn: BrainTurn) => void;
  readonly settings?: Record<string, unknown>;
  /** Environment of the gateway. */
  readonly env?: Record<string, string>;
  readonly apiEnv?: Record<string, string>;
  /** Wraps the bus for the control API. */
  readonly apiBus?: (bus: Bus) => Bus;
  /** How long a member's devices ring. */
  readonly memberRingsMs?: number;
  /** How long a dialed phone rings. */
  readonly ringTimeoutSecs?: number;
  readonly secretsKey?: string;
  /** Voice of the phones, instead of the built-in one. */
  readonly voice?: PhoneVoice;
  /**
   * Numbers without a test phone behave as in docs/phones.md#the-loopback-numbers; otherwise they pick up and
   * hang up.
   */
  readonly builtInPhones?: boolean;
  /** Folder of the built pages. */
  readonly pagesDir?: string;
}

/** A control API and a gateway on one bus, an organization with a number, and a test's own phones. */
export class TestTelephony {
  readonly api: TestControlApi;
  readonly gateway: TestGateway;
  readonly brain: TestBrain;
  readonly organization: TestOrganization;
  /** Audio heard by each session's phone, at 16 kHz. */
  readonly heard: ReadonlyMap<string, Int16Array[]>;
  /** Arrival time of each of these frames, in ms since the epoch. */
  readonly heardAtMs: ReadonlyMap<string, number[]>;
  readonly #scripts: Map<string, PhoneScript>;

  private constructor(
    parts: Pick<TestTelephony, "api" | "gateway" | "brain" | "organization" | "heard" | "heardAtMs">,
    scripts: Map<string, PhoneScript>,
  ) {
    this.api = parts.api;
    this.gateway = parts.gateway;
    this.brain = parts.brain;
    this.organization = parts.organization;
    this.heard = parts.heard;
    this.heardAtMs = parts.heardAtMs;
    this.#scripts = scripts;
  }

  /** The brain answers each turn with these words, or as `brain` does; `settings` belong to the agent. */
  static async start(options: TelephonyOptions = {}): Promise<TestTelephony> {
    const bus = createMemoryBus({ clock: systemClock });
    const scripts = new Map<string, PhoneScript>();
    const brief: PhoneScript = { ringMs: 100, outcome: "answers", steps: [] };
    const others = options.builtInPhones === true ? scriptOf : () => brief;
    const heard = new Map<string, Int16Array[]>();
    const heardAtMs = new Map<string, number[]>();
    const api = await TestControlApi.start({
      bus: options.apiBus?.(bus) ?? bus,
      env: options.apiEnv ?? {},
      ...(options.secretsKey === undefined ? {} : { secretsKey: options.secretsKey }),
      ...(options.pagesDir === undefined ? {} : { pagesDir: options.pagesDir }),
      allowPrivateTargets: ["127.0.0.0/8"],
      ...(options.memberRingsMs === undefined ? {} : { memberRingsMs: options.memberRingsMs }),
      ...(options.ringTimeoutSecs === undefined ? {} : { ringTimeoutSecs: options.ringTimeoutSecs }),
      phones: {
        ...(options.voice === undefined ? {} : { voice: options.voice }),
        scripts: (number) => scripts.get(number) ?? others(number),
        onHeard: ({ sessionId, samples }) => {
          const frames = heard.get(sessionId) ?? [];
          frames.push(samples);
          heard.set(sessionId, frames);
          const times = heardAtMs.get(sessionId) ?? [];
          times.push(systemClock.wallMs());
          heardAtMs.set(sessionId, times);
        },
      },
    });
    const gateway = await TestGateway.start({
      bus,
      keys: api.keys,
      env: { DATA_DIR: api.dataDir, ...options.env },
    });
    const brain = await (options.brain
      ? TestBrain.start(options.brain)
      : TestBrain.saying(options.answer ?? "I hear you."));
    const organization = await api.createOrganization({ brain: { url: brain.url }, ...options.settings });
    const telephony = new TestTelephony({ api, gateway, brain, organization, heard, heardAtMs }, scripts);
    const added = await telephony.request("POST", "/api/v1/numbers", { number: OUR_NUMBER });
    expect(added.status).toBe(201);
    return telephony;
  }

  /** Adds a phone with this behavior. */
  phone(number: string, script: PhoneScript): string {
    this.#scripts.set(number, script);
    return number;
  }

  request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> {
    const key = this.organization.keys.developer;
    return this.api.call(method, path, { key, headers, ...(body === undefined ? {} : { body }) });
  }

  /** Adds an agent to the organization, with the same brain unless `settings` has one; returns its id. */
  async agent(settings: Record<string, unknown>): Promise<string> {
    const body = { name: "Berta", brain: { url: this.brain.url }, ...settings };
    const { status, body: answer, text } = await this.request("POST", "/api/agents", body);
    if (status !== 201) throw new Error(`creating an agent answered ${status}: ${text}`);
    return (answer.data as { id: string }).id;
  }

  /** Statuses of the calls to a number. */
  async statusesOf(to: string): Promise<string[]> {
    const { db } = this.api.database;
    const rows = await db.selectFrom("calls").select("status").where("to_number", "=", to).execute();
    return rows.map(({ status }) => status);
  }

  /** Hangs up a simulated phone. */
  async hangUpPhone(callSid: string): Promise<void> {
    const { channels } = this.api.bus;
    const order = { payload: JSON.stringify({ command: "hangUp" }), deadlineMs: 3_000, clock: systemClock };
    expect(await request(channels, `loopback:${callSid}`, order)).toBe("ok");
  }

  async dial(to: string, more: Record<string, unknown> = {}): Promise<PlacedCall> {
    const body = { agentId: this.organization.agentId, to, ...more };
    const answer = await this.request("POST", "/api/sessions/initiate-call", body);
    if (answer.status !== 200) throw new Error(`placing a call answered ${answer.status}: ${answer.text}`);
    return answer.body.data as PlacedCall;
  }

  async record(sessionId: string): Promise<CallRecord> {
    const answer = await this.request("GET", `/api/v1/calls/${sessionId}`);
    if (answer.status !== 200) throw new Error(`reading a call answered ${answer.status}: ${answer.text}`);
    return answer.body as unknown as CallRecord;
  }

  async untilStatus(sessionId: string, status: string): Promise<CallRecord> {
    return vi.waitFor(async () => {
      const record = await this.record(sessionId);
      expect(record.status).toBe(status);
      return record;
    }, 90_000);
  }

  /** Left is what the person on the phone said, right what they heard; resolves once the recording is stored. */
  async recordingOf(sessionId: string): Promise<{ left: Int16Array; right: Int16Array }> {
    const url = await vi.waitFor(async () => {
      const { recording } = await this.record(sessionId);
      expect(recording).not.toBeNull();
      return recording?.url ?? "";
    }, 90_000);
    const { samples } = readWav(new Uint8Array(await (await fetch(url)).arrayBuffer()));
    return { left: samples.filter((_, at) => at % 2 === 0), right: samples.filter((_, at) => at % 2 === 1) };
  }

  async close(): Promise<void> {
    // Closing the gateway closes the bus too.
    await this.api.api.close();
    await this.gateway.close();
    await this.api.database.close();
    await rm(this.api.dataDir, { recursive: true, force: true });
    this.brain.close();
  }
}
