import type { EndReason } from "@parley/shared/contracts/call-status.ts";
import type { CallView } from "./call-view.ts";
import type { MicrophoneFault } from "./microphone-fault.ts";

/** Something the person should know, in plain words. */
export interface Notice {
  readonly tone: "info" | "warning" | "error";
  readonly title: string;
  readonly text: string;
  /** The person can dismiss it. */
  readonly dismissible?: true;
}

const MICROPHONE: Readonly<Record<MicrophoneFault, Omit<Notice, "tone">>> = {
  refused: {
    title: "The microphone is blocked",
    text: "Allow it in the address bar, or type below.",
  },
  missing: { title: "No microphone was found", text: "Plug one in and try again, or type below." },
  busy: {
    title: "The microphone is in use",
    text: "Another program holds it. Close that one and try again, or type below.",
  },
  insecure: {
    title: "No microphone on this address",
    text: "Browsers allow it only on https or on this computer itself (localhost). You can type below.",
  },
  lost: { title: "The microphone is gone", text: "It was unplugged or switched off. Type, or try it again." },
  broken: { title: "The microphone does not work here", text: "Try another browser, or type below." },
};

/** Why a call ended, in the caller's words. The last two come from the socket. */
const ENDED = {
  agent_end_call: "The agent said goodbye and hung up.",
  llm_end_call: "The agent said goodbye and hung up.",
  flow_end: "The agent said goodbye and hung up.",
  hangup: "You hung up.",
  silence_hangup: "Nobody said anything for a while, so the agent hung up.",
  max_duration: "The call reached its longest allowed time.",
  connection_lost: "The connection was away for too long.",
  api_request: "The call was ended by its owner.",
  node_lost: "The server that held the call failed. Please call again.",
  never_connected: "You were not connected in time. Please call again.",
  no_answer: "Nobody answered.",
  busy: "The line was busy.",
  declined: "The person you called declined.",
  carrier_failed: "The phone network could not connect the call.",
  transferred: "The call was transferred to someone else.",
  amd_hangup: "An answering machine picked up.",
  voicemail_drop: "A message was left on the answering machine.",
  ivr_hangup: "A phone menu picked up.",
  chat_idle: "Nobody wrote for a while.",
  node_draining: "The server was shut down for maintenance. Please call again.",
  internal_error: "Something failed on the server. Please call again.",
  replaced: "The call goes on in another window.",
  closed: "The server closed the call.",
} satisfies Record<EndReason | "replaced" | "closed", string>;

const FAILED = {
  unreachable: {
    title: "The call could not be started",
    text: "The voice gateway does not answer, or the call URL is no longer good: it lives for one minute. Try again.",
  },
  overloaded: {
    title: "All lines are busy",
    text: "The server has as many calls as it can hold. Try again in a minute.",
  },
  lost: {
    title: "Connection lost",
    text: "It did not come back within 15 seconds, so the call has ended. Check the network and call again.",
  },
  protocol: {
    title: "This page is out of date. Reload.",
    text: "Reload the page. If it stays, the server runs another version.",
  },
  fatal: { title: "The call cannot go on", text: "The server ended it." },
} as const;

const TROUBLE: Readonly<Record<string, string>> = {
  brain_failed: "The agent’s brain did not answer. Say it again in a moment.",
  speech_failed: "Speech does not work just now. Type, and read the answers below.",
};

/** What the page reports about the call, most urgent first. */
export function noticesOf(view: CallView): readonly Notice[] {
  return [
    phaseNotice(view),
    troubleNotice(view),
    microphoneNotice(view),
    hearingNotice(view),
    soundNotice(view),
  ].filter((notice) => notice !== undefined);
}

function phaseNotice({ phase, trouble }: CallView): Notice | undefined {
  switch (phase.at) {
    case "resuming":
      return {
        tone: "warning",
        title: "The connection dropped",
        text: "Reconnecting. The call is still there; nothing said so far is lost.",
      };
    case "ended":
      return {
        tone: "info",
        title: "The call has ended",
        text: endedText(phase.reason),
      };
    case "failed":
      if (phase.failure === "fatal" && trouble) {
        return { tone: "error", title: FAILED.fatal.title, text: troubleText(trouble) };
      }
      return { tone: "error", ...FAILED[phase.failure] };
    case "no-session":
      return sessionNotice(phase.fault, phase.message);
    default:
      return undefined;
  }
}

/** Handles reasons that only a newer server knows. */
function endedText(reason: string): string {
  return Object.hasOwn(ENDED, reason) ? ENDED[reason as keyof typeof ENDED] : "The server ended it.";
}

function sessionNotice(fault: "no-demo" | "refused" | "offline", message: string): Notice {
  if (fault === "offline") {
    return {
      tone: "error",
      title: "The server does not answer",
      text: "Is it still running? Then try again.",
    };
  }
  if (fault === "no-demo") {
    return {
      tone: "info",
      title: "There is no demo agent here",
      text: "Make a call with your own backend and paste its call URL below.",
    };
  }
  return { tone: "error", title: "The server refused the call", text: message };
}

function troubleNotice({ phase, trouble }: CallView): Notice | undefined {
  if (trouble === undefined || isOver(phase)) return undefined;
  return { tone: "warning", title: "Something went wrong", text: troubleText(trouble), dismissible: true };
}

function troubleText({ code, message }: NonNullable<CallView["trouble"]>): string {
  return TROUBLE[code] ?? message;
}

function microphoneNotice({ microphone, phase }: CallView): Notice | undefined {
  return microphone.is === "failed" && !isOver(phase)
    ? { tone: "warning", ...MICROPHONE[microphone.fault] }
    : undefined;
}

/** After a call, its errors are useless, and there is nothing to type into. */
function isOver({ at }: CallView["phase"]): boolean {
  return at === "ended" || at === "failed" || at === "no-session";
}

function hearingNotice({ recognition, microphone, phase }: CallView): Notice | undefined {
  if (recognition !== "none" || microphone.is === "failed" || phase.at !== "live") return undefined;
  return {
    tone: "info",
    title: "Typing only",
    text: "Neither this browser nor the server turns speech into text. Type below; the agent answers aloud.",
  };
}

function soundNotice({ sound }: CallView): Notice | undefined {
  if (sound) return undefined;
  return {
    tone: "warning",
    title: "No sound",
    text: "This browser cannot play the agent. Read along below.",
  };
}
