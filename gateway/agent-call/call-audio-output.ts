import { BACKGROUND_FADE_MS, Background } from "@parley/media/background/background.ts";
import { backgroundLoop } from "@parley/media/background/sounds.ts";
import { FRAME_MS } from "@parley/media/pcm.ts";
import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { CallerLine } from "../call/line.ts";
import type { CallRecording } from "../call/recording.ts";
import { AudioOutput } from "../pipeline/audio-output.ts";
import type { OwnHearing } from "../pipeline/own-hearing.ts";
import type { DeadAir } from "../turn/dead-air.ts";
import type { AgentSpeech } from "./agent-speech.ts";

interface AudioOutputParts {
  readonly leadMs: number;
  readonly plan: CallPlan;
  readonly now: () => number;
  readonly recording: CallRecording | undefined;
  readonly metrics: Metrics;
  readonly line: CallerLine;
  readonly deadAir: DeadAir;
  readonly own: Pick<OwnHearing, "sent" | "spoken">;
  /** A getter, because the agent is created after the output. */
  readonly agent: () => Pick<
    AgentSpeech,
    "onReplyStarted" | "onClause" | "onReplyFinished" | "isConcluding" | "isRinging"
  >;
}

/** Opens a call's audio output to the caller's line and the recording; the call's input recognizes its echo. */
export function openAudioOutput(parts: AudioOutputParts): AudioOutput {
  const { leadMs, plan, now, recording, metrics, line, deadAir, own, agent } = parts;
  const background = openBackground(plan.sound);
  const output: AudioOutput = new AudioOutput({
    leadMs,
    speed: plan.sound.speed,
    now,
    background: background && { sound: background, isWanted: () => isWanted(parts, output) },
    sink: {
      sendFrame: (frame, playAtMs) => {
        line.sendFrame(frame);
        deadAir.heard(playAtMs, FRAME_MS);
        own.sent(frame, { playAtMs, hasKeys: output.reply?.hasKeys ?? false });
        recording?.speak(frame, playAtMs);
      },
      // Not passed to `own`: the echo of the background sound alone is too soft to hear.
      sendPause: (frame, playAtMs) => {
        line.sendFrame(frame);
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
      onClause: (reply, index) => {
        own.spoken(reply.clauses[index]?.text ?? "", now());
        agent().onClause(reply, index);
      },
      onFinished: (reply) => agent().onReplyFinished(reply),
      onLateFrame: (lateMs) => metrics.frameLatenessSeconds.observe(lateMs / 1000),
    },
  });
  return output;
}

function openBackground({ background, backgroundVolumeDb }: CallPlan["sound"]): Background | undefined {
  if (background === "none") return undefined;
  const sound = new Background(backgroundVolumeDb);
  void backgroundLoop(background).then((loop) => sound.play(loop));
  return sound;
}

/** Background plays behind the agent but not behind ringback, and ends with the agent's last words of the call. */
function isWanted({ line, leadMs, now, agent }: AudioOutputParts, output: AudioOutput): boolean {
  const { isRinging, isConcluding } = agent();
  if (!line.isConnected || isRinging) return false;
  const { reply } = output;
  if (!isConcluding || reply?.isFullyWritten !== true) return true;
  return reply.unheardMs(now()) > leadMs + BACKGROUND_FADE_MS;
}
