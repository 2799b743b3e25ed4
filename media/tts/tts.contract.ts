import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FaultSwitch } from "../../testkit/fakes/speech/faults.ts";
import { samplesToMs } from "../pcm.ts";
import { SpeechError } from "../speech-error.ts";
import type { VendorDeadlines } from "../vendor-requests/deadlines.ts";
import type { TtsReply, TtsVendor } from "./port.ts";

const WRONG_KEY = "wrong-key-8f3a1c";
const SENTENCE = "The table is booked for two people.";
const IMPATIENT: VendorDeadlines = { connectMs: 150, firstByteMs: 150, idleMs: 150 };

/** What a vendor's test provides to the contract. */
export interface TtsUnderTest {
  /** For a vendor behind a network: how to make it fail. */
  readonly remote?: { readonly faults: FaultSwitch; readonly url: string };
  vendor(options?: { apiKey?: string; deadlines?: VendorDeadlines }): TtsVendor;
  close(): Promise<void>;
}

export interface Said {
  readonly samples: number;
  readonly peak: number;
  readonly error: SpeechError | undefined;
}

/** Says a text to its end and returns the result. */
export async function listenTo(reply: TtsReply, text: string): Promise<Said> {
  let samples = 0;
  let peak = 0;
  let error: SpeechError | undefined;
  try {
    for await (const chunk of reply.say(text)) {
      samples += chunk.length;
      for (const sample of chunk) peak = Math.max(peak, Math.abs(sample));
    }
  } catch (thrown) {
    if (!(thrown instanceof SpeechError)) throw thrown;
    error = thrown;
  }
  return { samples, peak, error };
}

const never = new AbortController().signal;

/** What every voice guarantees to the fallback chain and the gateway. */
export function describeTtsContract(name: string, start: () => Promise<TtsUnderTest>): void {
  describe(`the TTS contract, kept by ${name}`, () => {
    let tts: TtsUnderTest;
    beforeAll(async () => {
      tts = await start();
    });
    afterAll(() => tts.close());

    it("says clause after clause at 16 kHz", async () => {
      const reply = tts.vendor().openReply({ signal: never });
      const long = await listenTo(reply, SENTENCE);
      const short = await listenTo(reply, "Good bye.");
      reply.close();
      for (const said of [long, short]) {
        expect(said.error).toBeUndefined();
        expect(said.peak).toBeGreaterThan(3_000);
      }
      expect(samplesToMs(long.samples)).toBeGreaterThan(1_200);
      expect(samplesToMs(long.samples)).toBeLessThan(4_000);
      expect(short.samples).toBeLessThan(long.samples);
    });

    it("says nothing where there is nothing to say", async () => {
      const reply = tts.vendor().openReply({ signal: never });
      for (const text of ["", " ", "...", "— !"]) {
        expect(await listenTo(reply, text)).toEqual({ samples: 0, peak: 0, error: undefined });
      }
      reply.close();
    });

    it("ends early and silently when it is aborted or closed, before and in the middle", async () => {
      const abort = new AbortController();
      const aborted = tts.vendor().openReply({ signal: abort.signal });
      let chunks = 0;
      for await (const _ of aborted.say(SENTENCE)) {
        chunks += 1;
        abort.abort();
      }
      expect(chunks).toBe(1);
      expect(await listenTo(aborted, SENTENCE)).toMatchObject({ samples: 0, error: undefined });
      const late = tts.vendor().openReply({ signal: abort.signal });
      expect(await listenTo(late, SENTENCE)).toMatchObject({ samples: 0, error: undefined });
      const closed = tts.vendor().openReply({ signal: never });
      for await (const _ of closed.say(SENTENCE)) closed.close();
      closed.close();
      expect(await listenTo(closed, SENTENCE)).toMatchObject({ samples: 0, error: undefined });
    });

    it("ends at once when it is aborted while the vendor still works", async () => {
      const abort = new AbortController();
      const reply = tts.vendor().openReply({ signal: abort.signal });
      const saying = listenTo(reply, SENTENCE);
      abort.abort();
      expect(await saying).toMatchObject({ samples: 0, error: undefined });
    });
  });
}

/** What every voice behind a network guarantees in addition. */
export function describeRemoteTtsContract(name: string, start: () => Promise<TtsUnderTest>): void {
  describe(`the TTS contract over a network, kept by ${name}`, () => {
    let tts: TtsUnderTest;
    beforeAll(async () => {
      tts = await start();
    });
    afterAll(() => tts.close());

    async function say(options: Parameters<TtsUnderTest["vendor"]>[0] = {}): Promise<Said> {
      const reply = tts.vendor(options).openReply({ signal: never });
      const said = await listenTo(reply, SENTENCE);
      reply.close();
      tts.remote?.faults.clear();
      return said;
    }

    it("does not retry a bad key, and tells nobody of it", async () => {
      const { error } = await say({ apiKey: WRONG_KEY });
      expect(error).toMatchObject({ retryable: false });
      const told = `${error?.message} ${error?.stack} ${JSON.stringify(error)} ${String(error?.cause)}`;
      expect(told).not.toContain(WRONG_KEY);
      expect(told).not.toContain(new URL(tts.remote!.url).host);
      expect(told).not.toContain("table");
    });

    it.each([
      [400, false],
      [403, false],
      [404, false],
      [429, true],
      [500, true],
      [503, true],
    ])("tells of status %i whether a retry can help: %s", async (status, retryable) => {
      tts.remote!.faults.set({ kind: "status", status });
      expect((await say()).error).toMatchObject({ retryable });
    });

    it.each([{ kind: "hang" } as const, { kind: "mute" } as const])(
      "gives up a vendor that never begins: %o",
      async (fault) => {
        tts.remote!.faults.set(fault);
        const said = await say({ deadlines: IMPATIENT });
        expect(said).toMatchObject({ samples: 0, error: { retryable: true } });
      },
    );

    it.each([{ kind: "die", afterBytes: 20_000 } as const, { kind: "stall", afterBytes: 20_000 } as const])(
      "gives what came before a vendor fails in the middle: %o",
      async (fault) => {
        tts.remote!.faults.set(fault);
        // The voice's own time counts as the vendor's: only the silence after it has to be short.
        const said = await say({ deadlines: { connectMs: 3_000, firstByteMs: 5_000, idleMs: 400 } });
        expect(said.error).toMatchObject({ retryable: true });
        expect(said.samples).toBeGreaterThan(3_000);
        expect(said.samples).toBeLessThanOrEqual(10_000);
      },
    );

    it("loses no sample however the bytes are cut", async () => {
      const whole = await say();
      tts.remote!.faults.set({ kind: "drip", chunkBytes: 1_333, everyMs: 1 });
      const cut = await say();
      expect(cut).toEqual(whole);
    });
  });
}
