import { FRAME_MS } from "@parley/media/pcm.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { Mouth } from "../pipeline/mouth.ts";
import type { DeadAir } from "../turn/dead-air.ts";
import type { AgentSide } from "./agent-side.ts";
import type { CallerLine } from "./line.ts";
import type { CallRecording } from "./recording.ts";

interface MouthParts {
  readonly leadMs: number;
  readonly now: () => number;
  readonly recording: CallRecording | undefined;
  readonly metrics: Metrics;
  readonly line: CallerLine;
  readonly deadAir: DeadAir;
  /** Made after its mouth. */
  readonly agent: () => Pick<AgentSide, "onReplyStarted" | "onClause" | "onReplyFinished">;
}

/** The mouth of a call: what it says goes to the caller's line and into the recording. */
export function openMouth({ leadMs, now, recording, metrics, line, deadAir, agent }: MouthParts): Mouth {
  return new Mouth({
    leadMs,
    now,
    output: {
      sendFrame: (frame, playAtMs) => {
        line.sendFrame(frame);
        deadAir.heard(playAtMs, FRAME_MS);
        recording?.speak(frame, playAtMs);
      },
      together: (work) => line.together(work),
      sendMark: (name) => line.send({ type: "mark", name }),
      sendClear: () => {
        line.send({ type: "clear" });
        recording?.silenceAgent();
        return line.reportsPlayed;
      },
    },
    events: {
      onStarted: (reply) => agent().onReplyStarted(reply),
      onClause: (reply, index) => agent().onClause(reply, index),
      onFinished: (reply) => agent().onReplyFinished(reply),
      onLateFrame: (lateMs) => metrics.frameLatenessSeconds.observe(lateMs / 1000),
    },
  });
}
