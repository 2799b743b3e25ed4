import type { FakeCall, FakeCarrier, Moment } from "./fake-carrier.ts";

type Step = readonly [afterMs: number, moment: Moment];

/** A phone's behavior by the last digit of its number; any other digit answers, and hangs up after a minute. */
const SCRIPTS: Readonly<Record<string, readonly Step[]>> = {
  "1": [
    [500, { type: "ringing" }],
    [1_000, { type: "ended", status: "busy" }],
  ],
  "2": [[500, { type: "ringing" }]],
  "3": [
    [500, { type: "ringing" }],
    [2_000, { type: "answered" }],
    [3_000, { type: "machine" }],
    [4_000, { type: "beep" }],
    [30_000, { type: "ended", status: "completed" }],
  ],
  "4": [[200, { type: "ended", status: "failed" }]],
};
const ANSWERS: readonly Step[] = [
  [500, { type: "ringing" }],
  [2_000, { type: "answered" }],
  [1_500, { type: "human" }],
  [60_000, { type: "ended", status: "completed" }],
];
const DEFAULT_RING_SECS = 60;

/** Plays the script of a call's number; `speed` 2 is twice as fast. Stops when the call ends otherwise. */
export function playScript(call: FakeCall, carrier: FakeCarrier, speed = 1): void {
  const steps = SCRIPTS[call.to.at(-1) ?? ""] ?? ANSWERS;
  const rings = (call.ringTimeoutSecs ?? DEFAULT_RING_SECS) * 1_000;
  const isAnswered = steps.some(([, { type }]) => type === "answered" || type === "ended");
  const whole: readonly Step[] = isAnswered
    ? steps
    : [...steps, [rings, { type: "ended", status: "no-answer" }]];
  const play = ([step, ...rest]: readonly Step[]): void => {
    if (!step) return;
    const [afterMs, moment] = step;
    const timer = setTimeout(() => {
      if (call.state === "ended") return;
      carrier.tell(call.callSid, moment).then(
        () => play(rest),
        // No one is listening anymore.
        () => undefined,
      );
    }, afterMs / speed);
    timer.unref();
  };
  play(whole);
}
