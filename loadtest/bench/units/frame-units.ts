import { DtmfDetector } from "@parley/media/dtmf/detector.ts";
import { Framer } from "@parley/media/framing/framer.ts";
import { Pacer } from "@parley/media/pacer/pacer.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { StereoRecorder } from "@parley/media/recorder/stereo-recorder.ts";
import { createVad } from "@parley/media/vad/webrtc-vad.ts";
import { copyOf, energyOf } from "./copy.ts";
import type { Unit, Way } from "./unit.ts";

const FRAME_BYTES = FRAME_SAMPLES * 2;
const AGGRESSIVENESS = 2;
const LEAD_MS = 60;

type Frames = readonly Int16Array[];

/** Everything a live call does to a frame of 20 ms at 16 kHz. */
export async function frameUnits(frames: Frames): Promise<Unit[]> {
  const frameAt = (i: number): Int16Array => frames[i % frames.length] as Int16Array;
  const vad = await createVad(AGGRESSIVENESS);
  const dtmf = new DtmfDetector();
  return [
    {
      id: "vad",
      title: "voice detection, a frame",
      ours: (i) => Number(vad.isVoice(frameAt(i))),
      limit: energyOf(frames),
    },
    {
      id: "dtmf",
      title: "DTMF detection, a frame of speech",
      ours: (i) => (dtmf.push(frameAt(i)) === undefined ? 0 : 1),
      limit: energyOf(frames),
    },
    framerUnit(frameAt),
    recorderUnit(frameAt),
    pacerUnit(frameAt),
  ];
}

/** Cuts chunks of 30 ms, as vendors send them, into frames of 20 ms. */
function framerUnit(frameAt: (i: number) => Int16Array): Unit {
  const framer = new Framer(FRAME_SAMPLES);
  const chunk = new Int16Array((FRAME_SAMPLES * 3) / 2);
  let out = 0;
  const onFrame = (frame: Int16Array): void => {
    out += frame[0] as number;
  };
  let rest = Buffer.alloc(0);
  return {
    id: "framer",
    title: "cutting into frames, a frame",
    units: 1.5,
    ours: (i) => {
      chunk[0] = frameAt(i)[0] as number;
      framer.push(chunk, onFrame);
      return out;
    },
    limit: copyOf(FRAME_BYTES),
    peer: {
      name: "Buffer.concat and subarray",
      units: 1.5,
      run: (i) => {
        chunk[0] = frameAt(i)[0] as number;
        rest = Buffer.concat([rest, Buffer.from(chunk.buffer)]);
        for (; rest.length >= FRAME_BYTES; rest = rest.subarray(FRAME_BYTES)) out += rest[0] as number;
        return out;
      },
    },
  };
}

function recorderUnit(frameAt: (i: number) => Int16Array): Unit {
  let written = 0;
  const recorder = new StereoRecorder({
    writer: {
      write: (samples) => {
        written += samples[1] as number;
      },
      writeSilence: (count) => {
        written += count;
      },
      finish: () => undefined,
    },
  });
  let at = 0;
  return {
    id: "recorder",
    title: "recording, a stereo frame (no disk)",
    ours: (i) => {
      recorder.writeCaller(at, frameAt(i));
      recorder.writeAgent(at, frameAt(i + 1));
      at += FRAME_SAMPLES;
      recorder.advance(at);
      return written;
    },
    limit: copyOf(2 * FRAME_BYTES),
    peer: interleavedByBuffer(frameAt),
  };
}

/** Interleaves left and right into a fresh Buffer by its own methods, in order of arrival. */
function interleavedByBuffer(frameAt: (i: number) => Int16Array): Way {
  const asBuffer = ({ buffer, byteOffset, byteLength }: Int16Array): Buffer =>
    Buffer.from(buffer, byteOffset, byteLength);
  return {
    name: "readInt16LE and writeInt16LE, no window",
    run: (i) => {
      const left = asBuffer(frameAt(i));
      const right = asBuffer(frameAt(i + 1));
      const both = Buffer.alloc(left.length * 2);
      for (let at = 0; at < left.length; at += 2) {
        both.writeInt16LE(left.readInt16LE(at), at * 2);
        both.writeInt16LE(right.readInt16LE(at), at * 2 + 2);
      }
      return both[1] as number;
    },
  };
}

/** One frame written, and the pump that sends it; time is simulated. */
function pacerUnit(frameAt: (i: number) => Int16Array): Unit {
  let nowMs = 0;
  let sent = 0;
  const pacer = new Pacer({
    leadMs: LEAD_MS,
    now: () => nowMs,
    onFrame: (frame) => {
      sent += frame[0] as number;
    },
    onMark: () => undefined,
  });
  return {
    id: "pacer",
    title: "pacing, a frame written and sent",
    ours: (i) => {
      pacer.write(frameAt(i));
      nowMs += FRAME_MS;
      pacer.pump();
      return sent;
    },
    limit: copyOf(FRAME_BYTES),
  };
}
