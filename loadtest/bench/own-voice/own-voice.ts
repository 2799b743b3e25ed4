import { OwnVoice } from "@parley/media/echo/own-voice.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { createVad } from "@parley/media/vad/webrtc-vad.ts";
import { makeRoomNoise, makeUtterances } from "../../callers/speech.ts";
import type { Bench, Figure } from "../harness/figure.ts";
import { onCpu } from "../harness/pin.ts";
import { interleaved } from "../harness/rounds.ts";

const CPU = 0;
const ROUNDS = 7;
const FRAMES_A_SECOND = 1_000 / FRAME_MS;
/** Half a minute of a call each round. */
const FRAMES_A_ROUND = 30 * FRAMES_A_SECOND;
const AGGRESSIVENESS = 2;
const LEAD_MS = 200;
const ECHO_DELAY_FRAMES = 8;
const ECHO_GAIN = 10 ** (-25 / 20);

type FrameAt = (at: number) => Int16Array;

/** What is said and heard on a line, frame by frame. The agent is silent if absent. */
interface Line {
  readonly id: string;
  readonly title: string;
  readonly agent?: FrameAt;
  readonly caller: FrameAt;
}

/** CPU of the search for the agent's own voice in a caller's line, by what is heard while the agent speaks. */
export const ownVoice: Bench = {
  name: "own-voice",
  title: "The agent's own voice: CPU of its search a call and second, one pinned core",
  run: async (say) => {
    const speech = (await makeUtterances()).flatMap(({ frames }) => frames.map(samplesOf));
    const noise = makeRoomNoise().map(samplesOf);
    const vad = await createVad(AGGRESSIVENESS);
    return onCpu(CPU, async () => {
      const lines = linesOf(speech, noise);
      const { vad: detector, ...costs } = await interleaved(ROUNDS, {
        vad: costOf((at) => void vad.isVoice(cyclic(speech)(at))),
        ...Object.fromEntries(lines.map((line) => [line.id, costOf(searchOn(line))])),
      });
      vad.free();
      return lines.flatMap(({ id, title }): Figure[] => {
        const ours = (costs as Record<string, typeof detector>)[id];
        if (ours === undefined) return [];
        say(`${title}: ${ours.median.toFixed(0)} µs`);
        const limit = { name: "WebRTC's detector", value: detector };
        return [{ id: `own-voice.${id}`, title, unit: "µs", better: "lower", ours, limit }];
      });
    });
  },
};

function linesOf(speech: readonly Int16Array[], noise: readonly Int16Array[]): readonly Line[] {
  const agent = cyclic(speech);
  const quiet = cyclic(noise);
  // Half of the speech later is another sentence.
  const talks = (at: number): Int16Array => cyclic(speech)(at + Math.floor(speech.length / 2));
  const echo = cyclic(
    speech.map((_, at) => {
      const played = speech.at(at - ECHO_DELAY_FRAMES) as Int16Array;
      return played.map((sample, i) => sample * ECHO_GAIN + (quiet(at)[i] as number));
    }),
  );
  return [
    { id: "caller-alone", title: "the caller speaks, the agent is silent", caller: talks },
    { id: "no-echo", title: "the agent speaks, nothing comes back", agent, caller: quiet },
    { id: "echo", title: "the agent speaks, and comes back 25 dB softer", agent, caller: echo },
    { id: "talked-over", title: "the agent speaks, and the caller over it", agent, caller: talks },
  ];
}

function searchOn({ agent, caller }: Line): (at: number) => void {
  const voice = new OwnVoice({ leadMs: LEAD_MS, behindMs: () => 0 });
  return (at) => {
    const atMs = at * FRAME_MS;
    if (agent) voice.sent(agent(at + LEAD_MS / FRAME_MS), atMs + LEAD_MS);
    voice.hear(caller(at), atMs + FRAME_MS);
  };
}

/** CPU in µs a second of 20 ms frames; the first round also warms up. */
function costOf(take: (at: number) => void): () => number {
  let at = 0;
  const pass = (): void => {
    for (const end = at + FRAMES_A_ROUND; at < end; at++) take(at);
  };
  return () => {
    if (at === 0) pass();
    const before = process.cpuUsage();
    pass();
    const { user, system } = process.cpuUsage(before);
    return ((user + system) / FRAMES_A_ROUND) * FRAMES_A_SECOND;
  };
}

function cyclic(frames: readonly Int16Array[]): FrameAt {
  return (at) => frames[at % frames.length] as Int16Array;
}

function samplesOf(bytes: Buffer): Int16Array {
  return new Int16Array(bytes.buffer, bytes.byteOffset, FRAME_SAMPLES);
}
