import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Recognition } from "./recognition.ts";

/** The browser's recognizer in the hands of the test. */
class FakeRecognizer extends EventTarget {
  static last: FakeRecognizer | undefined;
  starts = 0;
  onresult: ((event: unknown) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  onend: (() => void) | null = null;

  constructor() {
    super();
    FakeRecognizer.last = this;
  }

  start(): void {
    this.starts += 1;
  }

  abort(): void {
    this.onend?.();
  }

  hear(...results: { text: string; isFinal: boolean }[]): void {
    const list = results.map(({ text, isFinal }) => Object.assign([{ transcript: text }], { isFinal }));
    this.onresult?.({ resultIndex: 0, results: list });
  }
}

function listen() {
  const log: string[] = [];
  const recognition = Recognition.create({
    track: undefined,
    onPartial: (text) => log.push(`partial ${text}`),
    onFinal: (text) => log.push(`final ${text}`),
    onUnavailable: () => log.push("unavailable"),
  })!;
  recognition.start();
  return { log, recognition, browser: FakeRecognizer.last! };
}

describe("Recognition", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    vi.stubGlobal("webkitSpeechRecognition", FakeRecognizer);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("is not there where the browser has none", () => {
    vi.unstubAllGlobals();
    const nothing = () => undefined;
    const options = { track: undefined, onPartial: nothing, onFinal: nothing, onUnavailable: nothing };
    expect(Recognition.create(options)).toBeUndefined();
  });

  test("tells partial text while it grows and final text once", () => {
    const { log, browser } = listen();
    browser.hear({ text: " I would", isFinal: false });
    browser.hear({ text: " I would like tea ", isFinal: true });
    expect(log).toEqual(["partial I would", "final I would like tea", "partial "]);
  });

  test("goes on listening through long silences", () => {
    const { log, browser } = listen();
    for (let silence = 0; silence < 20; silence++) {
      vi.advanceTimersByTime(8_000);
      browser.onerror?.({ error: "no-speech" });
      browser.onend?.();
    }
    vi.advanceTimersByTime(1_000);
    expect(browser.starts).toBe(21);
    expect(log).toEqual([]);
  });

  test.each(["not-allowed", "network", "service-not-allowed"])(
    "gives up once when the browser says %s",
    (error) => {
      const { log, browser } = listen();
      browser.onerror?.({ error });
      browser.onend?.();
      vi.advanceTimersByTime(10_000);
      expect(log).toEqual(["unavailable"]);
      expect(browser.starts).toBe(1);
    },
  );

  test("gives up when it stops at once again and again", () => {
    const { log, browser } = listen();
    for (let stop = 0; stop < 10; stop++) {
      browser.onend?.();
      vi.advanceTimersByTime(300);
    }
    expect(log).toEqual(["unavailable"]);
  });

  test("says nothing after it was stopped", () => {
    const { log, recognition, browser } = listen();
    recognition.stop();
    browser.hear({ text: "late", isFinal: true });
    vi.advanceTimersByTime(10_000);
    expect(log).toEqual([]);
    expect(browser.starts).toBe(1);
  });
});
