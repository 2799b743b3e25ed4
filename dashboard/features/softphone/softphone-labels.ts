import type { EndReason } from "@parley/shared/contracts/call-status.ts";
import type { TransferFailure } from "@parley/shared/contracts/transfers.ts";
import { phoneText } from "../../ui/phone-text.ts";
import { clockText } from "../calls/call-labels.ts";
import type { MicrophoneFault } from "../talk/microphone-fault.ts";
import type { SoftphoneView } from "./softphone-view.ts";

export interface Words {
  readonly title: string;
  readonly text: string;
}

/** A microphone's problem, and its remedy. */
export const MICROPHONE_WORDS: Readonly<Record<MicrophoneFault, Words>> = {
  refused: {
    title: "The microphone is blocked",
    text: "Click the icon left of the page’s address, allow the microphone, then try again. If it is allowed there, the system blocks it: look under Privacy, Microphone.",
  },
  missing: { title: "No microphone was found", text: "Plug a headset or a microphone in, then try again." },
  busy: {
    title: "The microphone is in use",
    text: "Another program holds it, often a video meeting. Close that one, then try again.",
  },
  insecure: {
    title: "No microphone on this address",
    text: "Browsers allow it only on https, or on this computer itself (localhost). Ask the operator of this Parley for the https address.",
  },
  lost: {
    title: "The microphone is gone",
    text: "It was unplugged or switched off, and there is no other one. Plug it in again, then choose it.",
  },
  broken: { title: "The microphone does not work", text: "Choose another one, or try another browser." },
};

/** Why a call ended, in the member's words; a hang-up names who did it. The last two come from the socket. */
const ENDED = {
  no_answer: "Nobody answered.",
  busy: "The line was busy.",
  declined: "The call was declined.",
  carrier_failed: "The phone network could not connect the call.",
  transferred: "The call was handed over.",
  api_request: "The call was ended from elsewhere.",
  max_duration: "The call reached its longest allowed time.",
  node_lost: "The server that held the call failed.",
  node_draining: "The server was shut down for maintenance.",
  replaced: "The call goes on on another device.",
  closed: "The server closed the call.",
  agent_end_call: "The agent hung up.",
  llm_end_call: "The agent hung up.",
  flow_end: "The agent hung up.",
  silence_hangup: "Nobody said anything for a while.",
  connection_lost: "The connection was away for too long.",
  never_connected: "The call was not connected in time.",
  internal_error: "Something failed on the server. Call again.",
  amd_hangup: "An answering machine picked up.",
  voicemail_drop: "A message was left on the answering machine.",
  ivr_hangup: "A phone menu picked up.",
  chat_idle: "Nobody wrote for a while.",
} satisfies Record<Exclude<EndReason, "hangup"> | "replaced" | "closed", string>;

const FAILED: Readonly<Record<string, Words>> = {
  unreachable: {
    title: "The call could not be connected",
    text: "The voice gateway does not answer. If the phone rang, the person who answered heard nothing.",
  },
  overloaded: {
    title: "All lines are busy",
    text: "The server has as many calls as it can hold. Try again soon.",
  },
  lost: {
    title: "Connection lost",
    text: "It did not come back in time, so the call has ended. Look at the network, then call again.",
  },
  protocol: { title: "This page is out of date", text: "Reload it, then call again." },
  fatal: { title: "The call cannot go on", text: "The server ended it." },
};

/** How the last call ended; undefined before the first call, and during one. */
export function endingWords(view: SoftphoneView): Words | undefined {
  const { phase, line, trouble } = view;
  const whom = line === undefined ? "The call" : `The call with ${phoneText(line.number)}`;
  switch (phase.at) {
    case "ended":
      return {
        title: phase.reason === "replaced" ? "You moved this call to another device" : `${whom} has ended`,
        text: endedText(view, phase.reason),
      };
    case "failed": {
      const words = FAILED[phase.failure] ?? { title: `${whom} failed`, text: "" };
      return phase.failure === "fatal" && trouble ? { ...words, text: trouble } : words;
    }
    case "no-microphone":
      return {
        title: MICROPHONE_WORDS[phase.fault].title,
        text: `${MICROPHONE_WORDS[phase.fault].text} Nobody was called.`,
      };
    case "refused":
      return { title: `${whom} was not made`, text: phase.message };
    default:
      return undefined;
  }
}

function endedText(view: SoftphoneView, reason: string): string {
  const { answeredAtMs, endedAtMs } = view;
  const why = reason === "hangup" ? hangUpText(view) : reasonText(reason);
  if (answeredAtMs === undefined || endedAtMs === undefined) return why;
  return `${why} It lasted ${clockText((endedAtMs - answeredAtMs) / 1_000)}.`;
}

/** Handles reasons that only a newer server knows. */
function reasonText(reason: string): string {
  return Object.hasOwn(ENDED, reason) ? ENDED[reason as keyof typeof ENDED] : "The server ended it.";
}

function hangUpText({ hasHungUp, transferringTo }: SoftphoneView): string {
  const who = hasHungUp ? "You" : "They";
  if (transferringTo === undefined) return `${who} hung up.`;
  return `${who} hung up while they were being handed over to ${phoneText(transferringTo)}.`;
}

const NOT_TAKEN: Readonly<Record<TransferFailure, string>> = {
  busy: "was busy",
  "no-answer": "did not answer",
  declined: "declined",
  failed: "could not be reached",
  refused: "could not be called",
  invalid: "could not be called",
};

/** Says that the person who was transferred is back. */
export function cameBackText({ why, from }: NonNullable<SoftphoneView["cameBack"]>): string {
  const whom = from === undefined ? "The other number" : phoneText(from);
  return `Nobody took it: ${whom} ${NOT_TAKEN[why]}. You are connected again.`;
}

/** The call's state, in a few words. */
export function stateWords({ phase, line, isHeld, transferringTo }: SoftphoneView): string {
  switch (phase.at) {
    case "preparing":
      return "Getting the microphone ready…";
    case "ringing":
      // The network has the call during a transfer, and may bring the person back.
      if (transferringTo !== undefined) return `Handing over to ${phoneText(transferringTo)}…`;
      return line?.direction === "inbound" ? "Connecting…" : "Ringing…";
    case "resuming":
      return "The connection dropped. Reconnecting…";
    case "live":
      if (transferringTo !== undefined) return `Handing over to ${phoneText(transferringTo)}…`;
      return isHeld ? "On hold" : "Connected";
    default:
      return "Not in a call";
  }
}

export interface Hearing {
  readonly tone: "good" | "warn" | "calm";
  readonly text: string;
}

/** Whether the other side hears this one; `isHeard`: the microphone picked something up in the last seconds. */
export function hearingWords(view: SoftphoneView, isHeard: boolean): Hearing {
  const { phase, isMuted, isHeld, microphone, quality } = view;
  if (microphone.is === "failed") return { tone: "warn", text: "They do not hear you: no microphone" };
  if (phase.at === "resuming")
    return { tone: "warn", text: "They do not hear you until the connection is back" };
  if (phase.at !== "live") return { tone: "calm", text: "Nobody has answered yet" };
  if (isHeld) return { tone: "warn", text: "On hold: neither of you hears the other" };
  if (isMuted) return { tone: "warn", text: "Muted: they do not hear you" };
  if (quality && quality.own.lateFrames + quality.own.lostFrames > 10)
    return { tone: "warn", text: "They hear you with gaps: your network loses some of it" };
  if (!isHeard) return { tone: "calm", text: "Your microphone is quiet" };
  return { tone: "good", text: "They hear you" };
}

/** Whether the other side can be heard; `isHeard`: sound came from there in the last seconds. */
export function farWords({ phase, isHeld, hasSound }: SoftphoneView, isHeard: boolean): string {
  if (!hasSound) return "This browser plays no sound: you hear nobody";
  if (phase.at !== "live") return "Nothing to hear yet";
  if (isHeld) return "On hold";
  return isHeard ? "You hear them" : "They are quiet";
}
