import { FRAME_MS, FRAME_SAMPLES, msToSamples } from "@parley/media/pcm.ts";
import { expect, it } from "vitest";
import { EchoPath } from "../../testkit/echo-path.ts";
import { flite } from "../../testkit/speech.ts";
import { OwnHearing } from "./own-hearing.ts";

const MENU = "On Tuesday we have grilled fish with potatoes.";
const AGENT = { whose: "mine", ownFrames: 40, theirFrames: 0 } as const;
const BOTH = { whose: "theirs", ownFrames: 40, theirFrames: 40 } as const;
const SILENCE = new Int16Array(FRAME_SAMPLES);
const AFTERWARDS_MS = 1_500;
/** How far into the menu the caller talks. */
const TALK_AFTER_MS = 1_600;

/** The agent says the menu to a room; `during` comes at its end, and then the agent is silent. */
async function afterTheMenu(path: EchoPath | undefined, during: (own: OwnHearing, nowMs: number) => void) {
  const own = new OwnHearing({ leadMs: 200, behindMs: () => 0 });
  const menu = await flite(MENU);
  own.spoken(MENU, 0);
  let atMs = 0;
  const pass = (frame: Int16Array): void => {
    own.sent(frame, { playAtMs: atMs, hasKeys: false });
    atMs += FRAME_MS;
    own.hear(path?.push(frame) ?? SILENCE, atMs, true);
  };
  for (let at = 0; at + FRAME_SAMPLES <= menu.length; at += FRAME_SAMPLES) {
    pass(menu.subarray(at, at + FRAME_SAMPLES));
  }
  during(own, atMs);
  for (const endMs = atMs + AFTERWARDS_MS; atMs < endMs; ) pass(SILENCE);
  expect(own.isOver).toBe(true);
  return { own, nowMs: atMs };
}

it("leaves out of a final what was the agent's while the text grew, though the agent is silent by then", async () => {
  const { own, nowMs } = await afterTheMenu(new EchoPath({ lossDb: 20, delayMs: 60 }), (hearing, atMs) => {
    expect(hearing.othersText({ text: "On Tuesday", isFinal: false }, AGENT, atMs).text).toBe("");
    const grown = hearing.othersText({ text: "On Tuesday stop, please", isFinal: false }, BOTH, atMs);
    expect(grown.text).toBe("stop, please");
  });
  const final = own.othersText({ text: "On Tuesday stop, please.", isFinal: true }, BOTH, nowMs);
  expect(final.text).toBe("stop, please.");
  // What comes next is another text.
  const next = own.othersText({ text: "On Tuesday stop, please.", isFinal: true }, BOTH, nowMs);
  expect(next.text).toBe("On Tuesday stop, please.");
});

it("leaves a caller's text whole on a line without an echo, though it begins with the agent's words", async () => {
  const { own, nowMs } = await afterTheMenu(undefined, (hearing, atMs) => {
    hearing.othersText({ text: "On Tuesday", isFinal: false }, BOTH, atMs);
  });
  const final = own.othersText({ text: "On Tuesday stop, please.", isFinal: true }, BOTH, nowMs);
  expect(final.text).toBe("On Tuesday stop, please.");
});

it("hears a caller at once who begins with the agent's words, and has interrupted it before", async () => {
  const { own, nowMs } = await interruptedTwice();
  const begins = own.othersText({ text: "On Tuesday", isFinal: false }, own.origin, nowMs);
  expect(begins).toEqual({ text: "On Tuesday" });
});

/** On a line without an echo a caller talks into the menu for a second, and again when it is said once more. */
async function interruptedTwice(): Promise<{ own: OwnHearing; nowMs: number }> {
  const own = new OwnHearing({ leadMs: 200, behindMs: () => 0 });
  const menu = await flite(MENU);
  const caller = await flite("Excuse me, I have a question about something else.", "rms");
  let nowMs = 0;
  const sayMenu = (talkForMs: number): void => {
    own.spoken(MENU, nowMs);
    const talkFromMs = nowMs + TALK_AFTER_MS;
    for (
      let at = 0;
      at + FRAME_SAMPLES <= menu.length && nowMs < talkFromMs + talkForMs;
      at += FRAME_SAMPLES
    ) {
      own.sent(menu.subarray(at, at + FRAME_SAMPLES), { playAtMs: nowMs, hasKeys: false });
      nowMs += FRAME_MS;
      const said = caller.subarray(
        msToSamples(nowMs - talkFromMs),
        msToSamples(nowMs - talkFromMs) + FRAME_SAMPLES,
      );
      const isTalking = nowMs > talkFromMs;
      own.hear(isTalking ? said : SILENCE, nowMs, isTalking);
    }
  };
  sayMenu(1_000);
  own.forget();
  own.othersText({ text: "Excuse me, I have a question.", isFinal: true }, BOTH, nowMs);
  sayMenu(400);
  return { own, nowMs };
}
