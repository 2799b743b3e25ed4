import { seededRandom } from "@parley/media/background/random.ts";
import { FRAME_SAMPLES, msToSamples } from "@parley/media/pcm.ts";
import { asOnTheTelephone, type Echo } from "./echo-path.ts";
import { EchoingCall, type EchoingCallOptions } from "./echoing-call.ts";
import { music, pinkNoise, rms } from "./noise.ts";
import { flite } from "./speech.ts";

const LATEST_MS = 60_000;
const AFTERWARDS_MS = 2_500;
/** The agent's voice is at -20 dB of full scale, the caller's at -24. */
const AGENT_RMS = 3_277;
const CALLER_RMS = 2_068;
const QUESTION = "What is there to know?";
const INTERRUPTION = "Hold on, please, I only want to hear about the price.";
const INTERRUPTION_MS = [1_500, 5_000] as const;
/** About as fast as the agent speaks. */
const CHARS_PER_SECOND = 14;
const NOISE_SAMPLES = msToSamples(8_000);

const LINES = [
  "This is answer one, and yes, we can do that for you.",
  "It usually takes two or three working days until everything has been arranged.",
  "You will get a message with all the details as soon as somebody has looked at it.",
  "On Tuesday we have grilled fish with potatoes, a soup of red lentils, and apple pie with cream.",
  "I can offer you a table for four people at half past seven, would that be all right?",
  "Your parcel left our warehouse this morning and should be with you by Friday at noon.",
  "Please have your customer number ready, you will find it in the upper right corner of the invoice.",
  "The next train to the airport leaves at ten past six from platform four.",
  "We open at nine in the morning, and on Thursdays we stay open until eight.",
  "Let me see. The doctor has time for you next Monday, or on the Wednesday after that.",
  "Thank you for waiting, I have found your booking under the name of Robert Miller.",
  "There is a small fee of twelve euros, which we take off again if you come in person.",
];

/** What a trial's room, line and recognizer are like. */
interface TrialSetup {
  readonly echo?: Echo | undefined;
  readonly room?: { readonly sound: "pink" | "music"; readonly rms: number };
  readonly isTelephone?: boolean;
  readonly mishears?: number;
  /** The agent speaks with the caller's voice. */
  readonly hasSameVoice?: boolean;
  /** The caller says "uh-huh" over the answer. */
  readonly encourages?: boolean;
}

type Random = () => number;
const between = (random: Random, from: number, to: number): number => from + (to - from) * random();
const oneOf = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const plain = (random: Random, db: readonly [number, number]): Echo => ({
  lossDb: between(random, ...db),
  delayMs: between(random, 0, 400),
});

/** Echoes as callers have them; each draws its own level, delay and times. */
export const ECHO_KINDS = {
  none: () => ({}),
  steady: (random) => ({ echo: plain(random, [20, 45]) }),
  loud: (random) => ({ echo: plain(random, [10, 20]) }),
  soft: (random) => ({ echo: plain(random, [27, 36]) }),
  jumps: (random) => {
    const delays = [0, 0, 0].map(() => between(random, 0, 400));
    const jumps = [between(random, 2_000, 15_000), between(random, 15_000, 28_000)];
    const delayMs = (ms: number): number => delays[jumps.filter((atMs) => ms >= atMs).length] as number;
    return { echo: { lossDb: between(random, 18, 35), delayMs } };
  },
  drifts: (random) => {
    const [from, perSecond] = [between(random, 50, 350), between(random, -10, 10)];
    const delayMs = (ms: number): number => Math.max(0, Math.min(400, from + (perSecond * ms) / 1_000));
    return { echo: { lossDb: between(random, 15, 35), delayMs } };
  },
  wobbles: (random) => {
    const [from, by] = [between(random, 50, 300), between(random, 10, 60)];
    const everyMs = between(random, 400, 2_500);
    const delayMs = (ms: number): number => from + (Math.floor(ms / everyMs) % 2) * by;
    return { echo: { lossDb: between(random, 15, 30), delayMs } };
  },
  begins: (random) => ({
    echo: { ...plain(random, [12, 35]), fromMs: between(random, 1_000, 20_000) },
  }),
  level: (random) => {
    const levels = [0, 0, 0, 0].map(() => between(random, 12, 40));
    const everyMs = between(random, 2_000, 8_000);
    const lossDb = (ms: number): number => levels[Math.floor(ms / everyMs) % levels.length] as number;
    return { echo: { ...plain(random, [20, 20]), lossDb } };
  },
  /** What a device's own echo canceller leaves: pieces that come and go. */
  residual: (random) => {
    const [softDb, loudDb] = [between(random, 40, 60), between(random, 18, 32)];
    const pieces = Array.from({ length: 64 }, () => (random() < 0.35 ? loudDb : softDb));
    const lossDb = (ms: number): number => pieces[Math.floor(ms / 160) % pieces.length] as number;
    return { echo: { ...plain(random, [20, 20]), lossDb } };
  },
  telephone: (random) => ({ echo: plain(random, [15, 38]), isTelephone: true }),
  noisy: (random) => {
    const sound = oneOf(random, ["pink", "music"] as const);
    return { echo: plain(random, [15, 35]), room: { sound, rms: 10 ** between(random, 1, 2.1) } };
  },
  clipped: (random) => ({ echo: { ...plain(random, [20, 40]), sound: "clipped" } }),
  speaker: (random) => ({ echo: { ...plain(random, [15, 38]), sound: "speaker" } }),
  hall: (random) => ({ echo: { ...plain(random, [15, 35]), sound: "hall" } }),
  room: (random) => ({ echo: { ...plain(random, [15, 35]), sound: "room" } }),
  misheard: (random) => ({ echo: plain(random, [15, 35]), mishears: 0.3 }),
  encouraged: (random) => ({ echo: plain(random, [18, 35]), encourages: true }),
  sameVoice: (random) => ({ echo: plain(random, [15, 35]), hasSameVoice: true }),
} as const satisfies Record<string, (random: Random) => TrialSetup>;

export type EchoKind = keyof typeof ECHO_KINDS;

/** What an agent that hears itself did. */
interface TrialResult {
  readonly setup: TrialSetup;
  /** The agent's lines that were stopped, or held. */
  readonly stops: readonly number[];
  /** Requests to the brain about nothing that the caller said. */
  readonly ghosts: readonly string[];
  readonly hasSaidAll: boolean;
}

/** Lets an agent say a greeting and an answer of half a minute together into an echo that is drawn by `seed`. */
export async function listenToItself(kind: EchoKind, seed: number): Promise<TrialResult> {
  const random = seededRandom(seed * 7_919 + 13);
  const setup: TrialSetup = ECHO_KINDS[kind](random);
  const { greeting, answer, call } = await callIn(setup, random);
  await call.until(() => call.said("assistant").length === 1, LATEST_MS);
  await call.pass(1_200);
  call.type(QUESTION);
  if (setup.encourages) {
    await call.until(() => call.timesOf("metrics").length === 1, LATEST_MS);
    await call.pass(between(random, 1_500, 6_000));
    call.say(atRms(await flite("Uh-huh.", callersVoice(setup)), CALLER_RMS), "uh-huh");
  }
  await call.until(() => call.said("assistant").length >= 2, LATEST_MS);
  await call.pass(AFTERWARDS_MS);
  const said = call.said("assistant");
  return {
    setup,
    stops: call.timesOf("clear"),
    ghosts: call.queries.filter((query) => query !== QUESTION),
    hasSaidAll: said[0] === greeting && said[1] === answer,
  };
}

/** What became of a caller who talks over the agent. */
interface InterruptionResult {
  readonly setup: TrialSetup;
  /** From the first sound of the caller's voice to the agent's silence; undefined if it went on. */
  readonly silentMs: number | undefined;
  /** What the caller said, and what the brain was asked. */
  readonly said: string;
  readonly query: string | undefined;
}

/** `next`: a request that begins with the word that the agent is about to say; `back`: two words that it has just said. */
export type Interruption = "request" | "next" | "back";

/** Lets a caller interrupt an agent that hears itself. */
export async function interrupt(
  kind: EchoKind,
  seed: number,
  how: Interruption = "request",
): Promise<InterruptionResult> {
  const random = seededRandom(seed * 7_919 + 13);
  const setup: TrialSetup = ECHO_KINDS[kind](random);
  const { answer, call } = await callIn(setup, random);
  await call.until(() => call.said("assistant").length === 1, LATEST_MS);
  await call.pass(1_200);
  call.type(QUESTION);
  await call.until(() => call.timesOf("metrics").length === 1, LATEST_MS);
  const afterMs = between(random, ...INTERRUPTION_MS);
  await call.pass(afterMs);
  const fromMs = call.nowMs;
  const said = interruption(how, answer, afterMs);
  call.say(atRms(await flite(said, callersVoice(setup)), CALLER_RMS), said);
  const isSilent = (): boolean => call.timesOf("clear").some((atMs) => atMs >= fromMs);
  await call.until(isSilent, LATEST_MS / 6);
  const silentMs = call.timesOf("clear").find((atMs) => atMs >= fromMs);
  await call.until(() => call.queries.length >= 2, LATEST_MS / 6);
  await call.pass(AFTERWARDS_MS);
  return {
    setup,
    silentMs: silentMs === undefined ? undefined : silentMs - fromMs,
    said,
    query: call.queries.at(-1),
  };
}

function interruption(how: Interruption, answer: string, afterMs: number): string {
  if (how === "request") return INTERRUPTION;
  const words = answer.split(" ");
  const next = answer.slice(0, (afterMs * CHARS_PER_SECOND) / 1_000).split(" ").length;
  if (how === "back") return `${words.slice(next - 3, next - 1).join(" ")}?`;
  return `${words[next]} ${INTERRUPTION}`;
}

const callersVoice = ({ hasSameVoice }: TrialSetup): "slt" | "rms" => (hasSameVoice ? "slt" : "rms");

async function callIn(setup: TrialSetup, random: Random) {
  const from = Math.floor(random() * LINES.length);
  const lines = LINES.map((_, i) => LINES[(from + i) % LINES.length] as string);
  const [greeting, answer] = [lines.slice(0, 2).join(" "), lines.slice(2, 5).join(" ")];
  const { echo, room, mishears } = setup;
  const noise = room && roomOf(room.sound, room.rms);
  const options: EchoingCallOptions = {
    echo,
    firstResponse: greeting,
    answer: (query) => [{ type: "token", text: query === QUESTION ? answer : "Very well." }],
    wordByWord: random() < 0.6,
    noise: between(random, 4, 40),
    oracle: {
      latencyMs: oneOf(random, [120, 200, 300, 500]),
      ...(room && { room: room.rms * 0.8 }),
      ...(mishears && { understood: (word) => (random() < mishears ? oneOf(random, MISHEARD) : word) }),
    },
    speak: async (text) => atRms(await flite(text, "slt"), AGENT_RMS),
    microphone: (frame) => {
      const heard = noise ? frame.map((sample) => sample + noise()) : frame;
      return setup.isTelephone ? asOnTheTelephone(heard) : heard;
    },
  };
  return { greeting, answer, call: await EchoingCall.start(options) };
}

const MISHEARD = ["the", "sea", "wash", "table", "fore", "hour", "mail", "wins", "day"];
const sounds = new Map<string, Int16Array>();
const levels = new Map<string, Int16Array>();

/** The next sample of a room's sound. */
function roomOf(sound: "pink" | "music", loudness: number): () => number {
  const samples = sounds.get(sound) ?? (sound === "pink" ? pinkNoise(NOISE_SAMPLES) : music(NOISE_SAMPLES));
  sounds.set(sound, samples);
  const gain = loudness / rms(samples);
  let at = 0;
  return () => Math.round((samples[at++ % samples.length] as number) * gain);
}

function atRms(samples: Int16Array, level: number): Int16Array {
  const key = `${samples.length} ${level} ${samples[FRAME_SAMPLES * 10]} ${samples[FRAME_SAMPLES * 20]}`;
  const gain = level / rms(samples);
  const made = levels.get(key) ?? samples.map((sample) => Math.max(-32_768, Math.min(32_767, sample * gain)));
  levels.set(key, made);
  return made;
}
