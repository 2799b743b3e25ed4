import { createInterface } from "node:readline";
import {
  ACCOUNT_CARRIERS,
  type AccountCarrierName,
  PHONE_CARRIERS,
} from "@parley/shared/contracts/phone-carriers.ts";
import { stopOnSignal } from "@parley/shared/stop-on-signal.ts";
import { CARRIER_FAKES } from "./by-carrier.ts";
import type { FakeCall, FakeCarrier, FakeCarrierOptions, Moment } from "./fake-carrier.ts";
import { REFUSALS } from "./refusals.ts";
import { playScript } from "./scripts.ts";

/**
 * Runs the fake carriers by hand: `npx node testkit/fakes/carriers/main.ts`. Prints the environment that
 * points Parley at them (with ALLOW_PRIVATE_TARGETS=127.0.0.0/8) and the credentials to connect with. The
 * last digit of a dialed number is its script: 1 is busy, 2 rings, 3 is a machine, 4 fails, others answer.
 * `--any-port` uses free ports. Ctrl-C ends it.
 */
const FIRST_PORT = 8111;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const optionsOf = (name: AccountCarrierName): FakeCarrierOptions => ({
  port: process.argv.includes("--any-port") ? 0 : FIRST_PORT + ACCOUNT_CARRIERS.indexOf(name),
  onDial: (call, carrier) => {
    say(`# ${name}: ${call.callSid} dials ${call.to}`);
    playScript(call, carrier);
  },
  onMedia: (call) => say(`# ${name}: ${call.callSid} is answered; its media goes to ${call.mediaUrl}`),
});

const carriers = new Map<AccountCarrierName, FakeCarrier>();
for (const name of ACCOUNT_CARRIERS) carriers.set(name, await CARRIER_FAKES[name].start(optionsOf(name)));
stopOnSignal(() => Promise.all([...carriers.values()].map((carrier) => carrier.close())));
for (const [name, { url }] of carriers) say(`${PHONE_CARRIERS[name].api.variable}=${url}`);
for (const [name, { account }] of Object.entries(CARRIER_FAKES))
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
  const carrier = [...carriers].find(([known]) => known === name)?.[1];
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

/** Answers every command with this documented failure. */
function refuse(carrier: FakeCarrier, failure: string): string {
  const name = ACCOUNT_CARRIERS.find((one) => carriers.get(one) === carrier);
  if (!name) return "not understood";
  const known = REFUSALS[name].find((one) => one.failure === failure);
  if (!known) return `it refuses for: ${REFUSALS[name].map((one) => one.failure).join(", ")}`;
  carrier.fault = known.answer;
  return failure;
}

function inboundCall(from: string, to: string, callbackUrl: string): FakeCall {
  const callSid = `fake-${Date.now()}`;
  return { callSid, direction: "inbound", from, to, callbackUrl, state: "ringing" };
}
