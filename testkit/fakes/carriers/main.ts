import { createInterface } from "node:readline";
import { stopOnSignal } from "@parley/shared/stop-on-signal.ts";
import type { FakeCall, FakeCarrier, FakeCarrierOptions, Moment } from "./fake-carrier.ts";
import { PLIVO_ACCOUNT, startFakePlivo } from "./plivo.ts";
import { REFUSALS } from "./refusals.ts";
import { playScript } from "./scripts.ts";
import { startFakeTelnyx, TELNYX_ACCOUNT } from "./telnyx.ts";
import { startFakeTwilio, TWILIO_ACCOUNT } from "./twilio.ts";
import { startFakeVonage, VONAGE_ACCOUNT } from "./vonage.ts";

/**
 * Runs the fake carriers by hand: `npx node testkit/fakes/carriers/main.ts`. It prints the environment that points
 * Parley at them (with ALLOW_PRIVATE_TARGETS=127.0.0.0/8) and the credentials to connect with. The last digit of a
 * dialed number is its script: 1 is busy, 2 rings, 3 is a machine, 4 fails, others answer. With `--any-port` it takes
 * ports that are free. Ctrl-C ends it.
 */
const PORTS = { twilio: 8111, telnyx: 8112, plivo: 8113, vonage: 8114 };
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const optionsOf = (name: keyof typeof PORTS): FakeCarrierOptions => ({
  port: process.argv.includes("--any-port") ? 0 : PORTS[name],
  onDial: (call, carrier) => {
    say(`# ${name}: ${call.callSid} dials ${call.to}`);
    playScript(call, carrier);
  },
  onMedia: (call) => say(`# ${name}: ${call.callSid} is answered; its media goes to ${call.mediaUrl}`),
});

const carriers: Record<keyof typeof PORTS, FakeCarrier> = {
  twilio: await startFakeTwilio(optionsOf("twilio")),
  telnyx: await startFakeTelnyx(optionsOf("telnyx")),
  plivo: await startFakePlivo(optionsOf("plivo")),
  vonage: await startFakeVonage(optionsOf("vonage")),
};
stopOnSignal(() => Promise.all(Object.values(carriers).map((carrier) => carrier.close())));
for (const [name, { url }] of Object.entries(carriers)) say(`${name.toUpperCase()}_API_URL=${url}`);
const ACCOUNTS: Record<keyof typeof PORTS, object> = {
  twilio: TWILIO_ACCOUNT,
  telnyx: TELNYX_ACCOUNT,
  plivo: PLIVO_ACCOUNT,
  vonage: VONAGE_ACCOUNT,
};
for (const [name, account] of Object.entries(ACCOUNTS))
  say(`# ${name} credentials: ${JSON.stringify(account)}`);
say("# Type: <carrier> ok | hang | mute | status <code> | refuse <failure> | call <from> <to> <webhook url>");
say(
  "#   or: <carrier> ring | answer | human | machine | beep | end [busy | no-answer | failed] (of its last call)",
);

const ENDS = ["busy", "no-answer", "failed", "canceled"] as const;
const MOMENTS: Readonly<Record<string, Moment>> = {
  ring: { type: "ringing" },
  answer: { type: "answered" },
  human: { type: "human" },
  machine: { type: "machine" },
  beep: { type: "beep" },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const [name = "", verb = "", ...rest] = line.trim().split(/\s+/);
  const carrier = Object.entries(carriers).find(([known]) => known === name)?.[1];
  if (!carrier) return say(`# not understood: ${line}`);
  obey(carrier, verb, rest).then(
    (said) => say(`# ${name}: ${said}`),
    (error: unknown) => say(`# ${name}: ${String(error)}`),
  );
});

async function obey(carrier: FakeCarrier, verb: string, rest: readonly string[]): Promise<string> {
  const [first = "", to = "", callbackUrl = ""] = rest;
  if (verb === "ok") carrier.fault = undefined;
  else if (verb === "hang" || verb === "mute") carrier.fault = verb;
  else if (verb === "refuse") return refuse(carrier, rest.join(" "));
  else if (verb === "status") carrier.fault = { status: Number(first) };
  else if (verb === "call") return carrier.callIn(inboundCall(first, to, callbackUrl));
  else {
    const callSid = [...carrier.calls.keys()].at(-1) ?? "";
    const status = ENDS.find((end) => end === first) ?? "completed";
    const moment: Moment | undefined = verb === "end" ? { type: "ended", status } : MOMENTS[verb];
    if (!moment) return `not understood: ${verb}`;
    return carrier.tell(callSid, moment);
  }
  return verb;
}

/** Answers every command as the carrier documents this failure. */
function refuse(carrier: FakeCarrier, failure: string): string {
  const name = Object.entries(carriers).find(([, one]) => one === carrier)?.[0] as keyof typeof carriers;
  const known = REFUSALS[name].find((one) => one.failure === failure);
  if (!known) return `it refuses for: ${REFUSALS[name].map((one) => one.failure).join(", ")}`;
  carrier.fault = known.answer;
  return failure;
}

function inboundCall(from: string, to: string, callbackUrl: string): FakeCall {
  const callSid = `fake-${Date.now()}`;
  return { callSid, direction: "inbound", from, to, callbackUrl, state: "ringing" };
}
