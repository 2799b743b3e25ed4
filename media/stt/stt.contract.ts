import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FaultSwitch } from "../../testkit/fakes/speech/faults.ts";
import { FRAME_SAMPLES, msToSamples } from "../pcm.ts";
import type { SpeechError } from "../speech-error.ts";
import type { VendorDeadlines } from "../vendor-requests/deadlines.ts";
import type { SttEvent, SttSession, SttVendor } from "./port.ts";

const WRONG_KEY = "wrong-key-8f3a1c";
/** Deadlines for faults that consist of silence; healthy cases keep the real deadlines. */
const IMPATIENT: VendorDeadlines = { connectMs: 150, firstByteMs: 150, idleMs: 150 };

/** What a vendor's test provides to the contract. */
export interface SttUnderTest {
  /** One sentence, 16 kHz. */
  readonly speech: Int16Array;
  /** The expected text, matched loosely for local programs. */
  readonly text: string | RegExp;
  /** For a vendor behind a network: how to make it fail. */
  readonly remote?: { readonly faults: FaultSwitch; readonly url: string };
  vendor(options?: { apiKey?: string; deadlines?: VendorDeadlines }): SttVendor;
  close(): Promise<void>;
}

/** Listens to a session; every wait ends with an event of the session, never by time. */
export class SttProbe {
  readonly events: SttEvent[] = [];
  readonly session: SttSession;
  #waiters: (() => void)[] = [];

  constructor(vendor: SttVendor) {
    this.session = vendor.open({ language: "en-US", onEvent: (event) => this.take(event) });
  }

  take(event: SttEvent): void {
    this.events.push(event);
    for (const wake of this.#waiters.splice(0)) wake();
  }

  /** Writes speech as the gateway does, followed by a moment of silence if the session takes silence. */
  hear(samples: Int16Array): void {
    const silence = new Int16Array(this.session.feed === "stream" ? msToSamples(200) : 0);
    for (const part of [samples, silence]) {
      for (let at = 0; at < part.length; at += FRAME_SAMPLES) {
        this.session.write(part.subarray(at, at + FRAME_SAMPLES));
      }
    }
  }

  get finals(): string[] {
    return this.events.flatMap((event) => (event.type === "final" && event.text !== "" ? [event.text] : []));
  }

  get answers(): number {
    return this.events.filter((event) => event.type === "final" && event.fromFinalize).length;
  }

  get failures(): SpeechError[] {
    return this.events.flatMap((event) => (event.type === "failed" ? [event.error] : []));
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }
}

/** What every recognizer guarantees to the fallback chain and the gateway. */
export function describeSttContract(name: string, start: () => Promise<SttUnderTest>): void {
  describe(`the STT contract, kept by ${name}`, () => {
    let stt: SttUnderTest;
    beforeAll(async () => {
      stt = await start();
    });
    afterAll(() => stt.close());

    it("gives the text of what was said and answers each finalize exactly once", async () => {
      const probe = new SttProbe(stt.vendor());
      probe.hear(stt.speech);
      probe.session.finalize();
      await probe.until(() => probe.answers === 1);
      expect(probe.finals.join(" ")).toMatch(stt.text);
      probe.hear(stt.speech);
      probe.session.finalize();
      await probe.until(() => probe.answers === 2);
      expect(probe.finals).toHaveLength(2);
      probe.session.close();
      expect(probe.failures).toEqual([]);
    });

    it("answers a finalize for which there was no audio", async () => {
      const probe = new SttProbe(stt.vendor());
      probe.session.finalize();
      await probe.until(() => probe.answers === 1);
      expect(probe.finals).toEqual([]);
      probe.session.close();
    });

    it("may be closed twice, and says nothing afterwards", async () => {
      const closed = new SttProbe(stt.vendor());
      closed.hear(stt.speech);
      closed.session.finalize();
      closed.session.close();
      closed.session.close();
      closed.hear(stt.speech);
      closed.session.finalize();
      // By the time another session has its answer, the closed one would have had its own.
      const other = new SttProbe(stt.vendor());
      other.hear(stt.speech);
      other.session.finalize();
      await other.until(() => other.answers === 1);
      other.session.close();
      expect(closed.events).toEqual([]);
    });

    it("keeps its own copy of a frame", async () => {
      const probe = new SttProbe(stt.vendor());
      const frame = new Int16Array(FRAME_SAMPLES);
      for (let at = 0; at < stt.speech.length; at += FRAME_SAMPLES) {
        frame.fill(0).set(stt.speech.subarray(at, at + FRAME_SAMPLES));
        probe.session.write(frame);
        frame.fill(0);
      }
      probe.session.finalize();
      await probe.until(() => probe.answers === 1);
      expect(probe.finals.join(" ")).toMatch(stt.text);
      probe.session.close();
    });
  });
}

/** What every recognizer behind a network guarantees in addition. */
export function describeRemoteSttContract(name: string, start: () => Promise<SttUnderTest>): void {
  describe(`the STT contract over a network, kept by ${name}`, () => {
    let stt: SttUnderTest;
    beforeAll(async () => {
      stt = await start();
    });
    afterAll(() => stt.close());

    async function failureOf(vendor: SttVendor): Promise<SpeechError> {
      const probe = new SttProbe(vendor);
      probe.hear(stt.speech);
      probe.session.finalize();
      await probe.until(() => probe.failures.length > 0);
      expect(probe.answers).toBe(0);
      expect(probe.failures).toHaveLength(1);
      stt.remote?.faults.clear();
      return probe.failures[0]!;
    }

    it("does not retry a bad key, and tells nobody of it", async () => {
      const error = await failureOf(stt.vendor({ apiKey: WRONG_KEY }));
      expect(error).toMatchObject({ retryable: false, vendor: stt.vendor().name });
      const told = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
      expect(told).not.toContain(WRONG_KEY);
      expect(told).not.toContain(new URL(stt.remote!.url).host);
    });

    it.each([
      [400, false],
      [403, false],
      [404, false],
      [429, true],
      [500, true],
      [503, true],
    ])("tells of status %i whether a retry can help: %s", async (status, retryable) => {
      stt.remote!.faults.set({ kind: "status", status });
      expect(await failureOf(stt.vendor())).toMatchObject({ retryable });
    });

    it.each([
      { kind: "hang" } as const,
      { kind: "mute" } as const,
      { kind: "die", afterBytes: 16_000 } as const,
    ])("lets a vendor that does this be retried: %o", async (fault) => {
      stt.remote!.faults.set(fault);
      expect(await failureOf(stt.vendor({ deadlines: IMPATIENT }))).toMatchObject({ retryable: true });
    });

    it("lets a vendor that is not there be retried", async () => {
      const gone = await start();
      await gone.close();
      const probe = new SttProbe(gone.vendor());
      probe.hear(stt.speech);
      probe.session.finalize();
      await probe.until(() => probe.failures.length > 0);
      expect(probe.failures[0]).toMatchObject({ retryable: true });
    });
  });
}
