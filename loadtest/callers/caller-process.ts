import { Histogram } from "../report/histogram.ts";
import { SyntheticCaller } from "./caller.ts";
import type { FromCallers, ToCallers } from "./messages.ts";
import { makeRoomNoise, makeUtterances } from "./speech.ts";
import { Tally } from "./tally.ts";
import { Wheel } from "./wheel.ts";

/** One process of synthetic callers, controlled by `Fleet`. */
const PROGRESS_MS = 1_000;

const utterances = await makeUtterances();
const noise = makeRoomNoise();
const callers = new Set<SyntheticCaller>();
let tally = new Tally();
let lag = new Histogram();
const wheel = new Wheel((lagMs) => lag.record(lagMs));
let isHangingUp = false;

function tell(message: FromCallers): void {
  process.send?.(message);
}

function tellAllGone(): void {
  isHangingUp = false;
  tell({ type: "all-gone" });
}

function call({ url, script }: Extract<ToCallers, { type: "call" }>): void {
  const onClosed = (gone: SyntheticCaller): void => {
    callers.delete(gone);
    wheel.remove(gone);
    if (isHangingUp && callers.size === 0) tellAllGone();
  };
  const caller = new SyntheticCaller({ url, script, utterances, noise, tally: () => tally, onClosed });
  callers.add(caller);
  wheel.add(caller);
}

process.on("message", (message: ToCallers) => {
  if (message.type === "call") call(message);
  else if (message.type === "report") tell({ type: "report", tally: tally.toJSON(), lag: lag.toJSON() });
  else if (message.type === "measure") {
    tally = tally.afterSetUp();
    lag = new Histogram();
  } else {
    isHangingUp = true;
    for (const caller of callers) caller.hangUp();
    if (callers.size === 0) tellAllGone();
  }
});
setInterval(() => {
  const live = [...callers].filter(({ isLive }) => isLive).length;
  tell({ type: "progress", live, tally: tally.toJSON().counts });
}, PROGRESS_MS);
process.once("disconnect", () => process.exit(0));
tell({ type: "ready" });
