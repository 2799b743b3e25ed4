import { FrontEndEngine } from "@parley/media/front-end/engine.ts";
import { TASK } from "@parley/media/front-end/tasks.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { createVad, type Vad } from "@parley/media/vad/webrtc-vad.ts";
import { makeUtterances } from "../../callers/speech.ts";
import type { Bench, Figure, Spread } from "../harness/figure.ts";
import { onCpu } from "../harness/pin.ts";
import { interleaved } from "../harness/rounds.ts";

const CPU = 0;
const ROUNDS = 5;
const CALL_COUNTS = [1, 300] as const;
const FRAMES_A_SECOND = 1_000 / FRAME_MS;
/** Least frames per round over all calls: enough CPU time to be measurable. */
const LEAST_FRAMES = 250;
/** Least frames per call, so that windows of 32 ms come out even. */
const LEAST_FRAMES_A_CALL = 8;
const AGGRESSIVENESS = 2;
const WORK = [
  { id: "detect", title: "voice told by the model", tasks: TASK.detect, mostUs: 6_000 },
  { id: "denoise", title: "noise suppression", tasks: TASK.denoise, mostUs: 25_000 },
] as const;

type Frames = readonly Int16Array[];

/**
 * CPU of the models before the turn, for callers who talk all the time; a silent caller in a quiet room costs
 * none.
 */
export const frontEnd: Bench = {
  name: "front-end",
  title: "Front end: CPU a call and second of speech, models beside WebRTC's detector, one pinned core",
  run: async (say) => {
    const speech = await makeUtterances();
    const frames = speech.flatMap((utterance) =>
      utterance.frames.map((bytes) => new Int16Array(bytes.buffer, bytes.byteOffset, FRAME_SAMPLES)),
    );
    return onCpu(CPU, async () => {
      const engine = await FrontEndEngine.load();
      const vad = await createVad(AGGRESSIVENESS);
      const figures: Figure[] = [];
      for (const calls of CALL_COUNTS) {
        const spreads = await interleaved(ROUNDS, {
          detect: modelCost(engine, frames, { calls, tasks: TASK.detect }),
          denoise: modelCost(engine, frames, { calls, tasks: TASK.denoise }),
          webrtc: webrtcCost(vad, frames),
        });
        for (const { id, title, mostUs } of WORK) {
          const figure = { id: `front-end.${id}-${calls}`, title: `${title}, ${countOf(calls)}` };
          figures.push(figureOf(figure, { ours: spreads[id], webrtc: spreads.webrtc, mostUs }));
          say(`${figure.title}: ${spreads[id].median.toFixed(0)} µs`);
        }
      }
      vad.free();
      await engine.close();
      return figures;
    });
  },
};

const countOf = (calls: number): string => (calls === 1 ? "1 call" : `${calls} calls`);

function figureOf(
  { id, title }: { id: string; title: string },
  { ours, webrtc, mostUs }: { ours: Spread; webrtc: Spread; mostUs: number },
): Figure {
  return {
    id,
    title,
    unit: "µs",
    better: "lower",
    ours,
    limit: { name: "WebRTC's detector", value: webrtc },
    target: { text: `at most ${mostUs / 10_000} % of a core`, holds: ours.median <= mostUs },
  };
}

/** CPU in µs per call and second when all calls' frames arrive together, as on a busy thread. */
function modelCost(
  engine: FrontEndEngine,
  frames: Frames,
  { calls, tasks }: { calls: number; tasks: number },
): () => Promise<number> {
  const streams = Int32Array.from({ length: calls }, (_, call) => calls * 10 + tasks * 10_000 + call);
  const frameCount = Math.max(LEAST_FRAMES_A_CALL, Math.ceil(LEAST_FRAMES / calls));
  const feed = async (): Promise<void> => {
    for (let at = 0; at < frameCount; at++) {
      const samples = new Int16Array(calls * FRAME_SAMPLES);
      for (let call = 0; call < calls; call++) {
        samples.set(frames[(at + call * 7) % frames.length] as Int16Array, call * FRAME_SAMPLES);
      }
      await engine.process({ streams, tasks: new Uint8Array(calls).fill(tasks), samples, closed: [] });
    }
  };
  let warm: Promise<void> | undefined;
  return async () => {
    warm ??= feed();
    await warm;
    const before = process.cpuUsage();
    await feed();
    return (spentUs(before) / (calls * frameCount)) * FRAMES_A_SECOND;
  };
}

function webrtcCost(vad: Vad, frames: Frames): () => number {
  const count = 40_000;
  return () => {
    const before = process.cpuUsage();
    for (let i = 0; i < count; i++) vad.isVoice(frames[i % frames.length] as Int16Array);
    return (spentUs(before) / count) * FRAMES_A_SECOND;
  };
}

function spentUs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
