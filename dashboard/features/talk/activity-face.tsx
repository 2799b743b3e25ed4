import { useEffect, useRef } from "react";
import type { CallView } from "./call-view.ts";
import type { Levels } from "./use-call.ts";

interface ActivityFaceProps {
  readonly view: CallView;
  readonly levels: Levels;
}

type Mood = "asleep" | "listening" | "hearing" | "thinking" | "speaking";

/** Speech rarely exceeds this root mean square, which opens the mouth fully. */
const LOUD_LEVEL = 0.2;

/** A face that shows whose turn it is, and says it in words underneath. */
export function ActivityFace({ view, levels }: ActivityFaceProps) {
  const figure = useRef<HTMLElement>(null);
  const inCall = view.phase.at === "live";

  useEffect(() => {
    if (!inCall) return;
    let frame = requestAnimationFrame(function show() {
      figure.current?.style.setProperty("--caller", loudness(levels.caller));
      figure.current?.style.setProperty("--agent", loudness(levels.agent));
      frame = requestAnimationFrame(show);
    });
    return () => cancelAnimationFrame(frame);
  }, [inCall, levels]);

  const mood = moodOf(view);
  return (
    <figure ref={figure} className="talk-face" data-mood={mood}>
      <svg aria-hidden="true" width="120" height="120" viewBox="12 12 120 120">
        <circle className="face-halo" cx="72" cy="72" r="52" />
        <circle className="face-head" cx="72" cy="72" r="48" />
        <g className="face-eyes">
          <rect x="51" y="54" width="9" height="18" rx="4.5" />
          <rect x="84" y="54" width="9" height="18" rx="4.5" />
        </g>
        <path className="face-smile" d="M56 88q16 13 32 0" />
        <ellipse className="face-mouth" cx="72" cy="91" rx="12" ry="10" />
        <g className="face-dots">
          <circle cx="60" cy="92" r="4" />
          <circle cx="72" cy="92" r="4" />
          <circle cx="84" cy="92" r="4" />
        </g>
      </svg>
      <figcaption>{captionOf(view, mood)}</figcaption>
    </figure>
  );
}

function loudness(level: number): string {
  return Math.min(1, level / LOUD_LEVEL).toFixed(2);
}

function moodOf({ phase, activity, callerSpeaking }: CallView): Mood {
  if (phase.at !== "live") return "asleep";
  if (activity === "listening" && callerSpeaking) return "hearing";
  return activity;
}

function captionOf({ phase, agentName, mode, microphone }: CallView, mood: Mood): string {
  switch (phase.at) {
    case "idle":
      return "Ready when you are";
    case "preparing":
      return "Waiting for the microphone…";
    case "connecting":
      return `Calling ${agentName}…`;
    case "resuming":
      return "Reconnecting…";
    case "live":
      break;
    default:
      return "Not in a call";
  }
  if (mode === "manual") return "You are connected";
  if (mood === "thinking") return `${sentence(agentName)} is thinking`;
  if (mood === "speaking") return `${sentence(agentName)} is speaking`;
  if (mood === "hearing") return "You are speaking";
  if (microphone.is === "muted") return "You are muted";
  return microphone.is === "on" ? `${sentence(agentName)} is listening` : "Type below; the agent answers";
}

function sentence(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
