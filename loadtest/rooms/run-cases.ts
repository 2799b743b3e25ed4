import { seededRandom } from "@parley/media/background/random.ts";
import { createSocketCodec } from "@parley/media/codecs/socket-codec.ts";
import { Wheel } from "../callers/wheel.ts";
import { type Stack, startStack } from "../stack/stack.ts";
import { CallRecord } from "./callers/call-record.ts";
import { Carrier } from "./callers/delivery.ts";
import { askQuestion, askWithPause, type Utterance, wordTimes } from "./callers/questions.ts";
import { RoomCaller } from "./callers/room-caller.ts";
import { Vendors } from "./callers/vendors.ts";
import type { RoomCase } from "./cases.ts";
import { figuresOf, type RoomFigures } from "./report/figures.ts";
import { atLevel, VOICE_DB } from "./sounds/level.ts";
import { cough, laugh, sneeze } from "./sounds/noise.ts";
import { RoomMaker } from "./sounds/room.ts";
import type { OutsideVoice } from "./sounds/voices.ts";

export interface RunOptions {
  readonly voices: readonly OutsideVoice[];
  /** How many calls run at once. */
  readonly sideBySide: number;
  /** Longest wait for an answer. */
  readonly patienceMs: number;
  readonly onCase: (done: RoomCase, figures: RoomFigures, records: readonly CallRecord[]) => void;
  /** Lag of the callers' own clock in ms, which bounds the precision of their measurements. */
  readonly onLag: (lagMs: number) => void;
}

/** Runs the calls of every case, many in parallel, on its own stack; reports a case when its last call is over. */
export async function runCases(cases: readonly RoomCase[], options: RunOptions): Promise<void> {
  const vendors = await Vendors.start();
  let stack: Stack | undefined;
  let wheel: Wheel | undefined;
  try {
    stack = await startStack({
      gatewayEnv: {
        DEEPGRAM_URL: vendors.url,
        STT_COMMAND: "pocketsphinx_continuous -infile {wav} -logfn /dev/null",
      },
    });
    await vendors.rehearse(Math.max(...cases.map(({ turns }) => turns)));
    wheel = new Wheel(options.onLag);
    const { patienceMs } = options;
    const ground: Ground = {
      patienceMs,
      vendors,
      stack,
      wheel,
      voices: options.voices,
      rooms: new RoomMaker(options.voices),
    };
    const jobs = cases.flatMap((row) => Array.from({ length: row.calls }, (_, call) => ({ row, call })));
    const records = new Map<string, CallRecord[]>();
    const holdCalls = async (): Promise<void> => {
      for (let job = jobs.shift(); job; job = jobs.shift()) {
        const { row, call } = job;
        const record = await holdCall(ground, row, call);
        const done = [...(records.get(row.id) ?? []), record];
        records.set(row.id, done);
        if (done.length === row.calls)
          options.onCase(row, figuresOf(done, row.recognizer === "oracle"), done);
      }
    };
    await Promise.all(Array.from({ length: options.sideBySide }, holdCalls));
  } finally {
    wheel?.stop();
    await stack?.close();
    await vendors.close();
  }
}

/** What the calls of a run share. */
interface Ground {
  readonly patienceMs: number;
  readonly vendors: Vendors;
  readonly stack: Stack;
  readonly wheel: Wheel;
  readonly voices: readonly OutsideVoice[];
  readonly rooms: RoomMaker;
}

async function holdCall(
  { vendors, stack, wheel, voices, rooms, patienceMs }: Ground,
  row: RoomCase,
  call: number,
): Promise<CallRecord> {
  const record = new CallRecord({ ...row, id: `${row.id}-${call}` });
  vendors.add(record);
  const voice = voices[call % voices.length];
  const gateway = stack.gateways[0];
  if (!voice || !gateway) throw new Error("a call needs a voice and a gateway");
  const ask = (turn: number): Promise<Utterance> =>
    row.pauseMs === undefined ? askQuestion(voice, turn) : askWithPause(voice, turn, row.pauseMs);
  const utterances = await Promise.all(
    Array.from({ length: row.turns }, (_, turn) => ask(turn + call * row.turns)),
  );
  const { id } = record;
  const session = await stack.seeder.create(gateway.wsUrl, {
    brain: { url: vendors.brainUrl(id) },
    stt: [row.recognizer === "oracle" ? { vendor: "deepgram", model: id } : { vendor: "command" }],
    tts: [{ vendor: "deepgram", voice: id }],
    silence: { promptAfterMs: 0, hangupAfterMs: 0 },
    recording: false,
  });
  const random = seededRandom(call + 1);
  const telephone = row.isTelephone && { format: TELEPHONE, codec: await createSocketCodec(TELEPHONE) };
  const options = {
    url: session.websocketUrl,
    record,
    utterances,
    interjection: await interjectionOf(row, voice),
    interrupts: row.interrupts ?? false,
    room: await rooms.open(row.room, row.roomDb, call + 1),
    carrier: new Carrier(row.delivery, random),
    echo: row.echo,
    telephone,
    clauseMs: (clause: string) => vendors.lengthMs(clause),
    random,
    patienceMs,
  };
  await new Promise<void>((resolve) => {
    const caller = new RoomCaller({
      ...options,
      onClosed: () => {
        wheel.remove(caller);
        telephone?.codec.free();
        resolve();
      },
    });
    wheel.add(caller);
  });
  return record;
}

/** The audio format of a carrier's phones. */
const TELEPHONE = { encoding: "mulaw", sampleRate: 8_000 } as const;
const SOUNDS = { cough, sneeze, laugh } as const;

async function interjectionOf(
  { interjection }: RoomCase,
  voice: OutsideVoice,
): Promise<Utterance | undefined> {
  if (interjection === undefined) return undefined;
  if (interjection !== "uh-huh") {
    const sound = SOUNDS[interjection](0, seededRandom(3));
    return { text: "", samples: atLevel(sound, VOICE_DB), words: [] };
  }
  const samples = await voice.speak("uh-huh");
  return { text: "uh-huh", samples, words: wordTimes("uh-huh", 0, samples.length / 16) };
}
