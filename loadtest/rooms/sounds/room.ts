import { seededRandom } from "@parley/media/background/random.ts";
import { FRAME_SAMPLES, PCM_RATE_HZ } from "@parley/media/pcm.ts";
import { atLevel, FLOOR_DB, VOICE_DB } from "./level.ts";
import { brownNoise, doorThuds, keyboard, music, pinkNoise } from "./noise.ts";
import type { OutsideVoice } from "./voices.ts";

export type RoomName = "quiet" | "pink" | "brown" | "babble" | "music" | "door" | "keyboard" | "speaker";

const LOOP_S = 23;
const TALKERS = 6;
const BREATH_SAMPLES = PCM_RATE_HZ * 0.25;

/** Talk of other people in the room: nothing that a scripted caller says. */
const TALK: readonly string[] = [
  "The garden was full of apples when grandmother arrived from the coast.",
  "Nobody believed that the old engine would ever run again.",
  "After the concert everybody walked along the river and laughed.",
  "Six brown horses stood under the bridge because of the storm.",
  "Her brother paints windows and sometimes sings at weddings.",
];

/** Yields the room's sound in 20 ms frames, endlessly. */
export class Room {
  readonly #loop: Float32Array;
  #at: number;

  constructor(loop: Float32Array, offsetSamples: number) {
    this.#loop = loop;
    this.#at = offsetSamples % loop.length;
  }

  /** Adds the next 20 ms to `frame`. */
  addTo(frame: Float32Array): void {
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      frame[i] = (frame[i] ?? 0) + (this.#loop[(this.#at + i) % this.#loop.length] ?? 0);
    }
    this.#at = (this.#at + FRAME_SAMPLES) % this.#loop.length;
  }
}

/** Creates the rooms of a run; renders each sound once. */
export class RoomMaker {
  readonly #voices: readonly OutsideVoice[];
  readonly #loops = new Map<string, Promise<Float32Array>>();

  constructor(voices: readonly OutsideVoice[]) {
    this.#voices = voices;
  }

  /** A room at `relativeDb` from the caller's voice (-15: that much softer), over every room's noise floor. */
  async open(name: RoomName, relativeDb: number, seed: number): Promise<Room> {
    const key = `${name} ${relativeDb}`;
    const loop = this.#loops.get(key) ?? this.#render(name, VOICE_DB + relativeDb);
    this.#loops.set(key, loop);
    return new Room(await loop, Math.floor(seededRandom(seed)() * LOOP_S) * PCM_RATE_HZ);
  }

  async #render(name: RoomName, db: number): Promise<Float32Array> {
    const floor = atLevel(pinkNoise(LOOP_S, seededRandom(1)), FLOOR_DB);
    if (name === "quiet") return floor;
    const sound = atLevel(await this.#soundOf(name), db);
    return floor.map((sample, i) => sample + (sound[i] ?? 0));
  }

  async #soundOf(name: Exclude<RoomName, "quiet">): Promise<Float32Array> {
    const random = seededRandom(2);
    switch (name) {
      case "pink":
        return pinkNoise(LOOP_S, random);
      case "brown":
        return brownNoise(LOOP_S, random);
      case "music":
        return music(LOOP_S, random);
      case "door":
        return doorThuds(LOOP_S, random);
      case "keyboard":
        return keyboard(LOOP_S, random);
      case "speaker":
        return this.#talker(0);
      case "babble":
        return summed(await Promise.all(Array.from({ length: TALKERS }, (_, i) => this.#talker(i))));
    }
  }

  /** A person talking without end; each starts with another sentence. */
  async #talker(index: number): Promise<Float32Array> {
    const voice = this.#voices[index % this.#voices.length];
    if (!voice) throw new Error("no outside voice is installed");
    const loop = new Float32Array(LOOP_S * PCM_RATE_HZ);
    let at = 0;
    for (let n = index; at < loop.length; n++) {
      const sentence = await voice.speak(TALK[n % TALK.length] ?? "");
      loop.set(sentence.subarray(0, loop.length - at), at);
      at += sentence.length + BREATH_SAMPLES;
    }
    return loop;
  }
}

function summed(sounds: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(0), ...others] = sounds;
  return first.map((sample, i) => others.reduce((sum, other) => sum + (other[i] ?? 0), sample));
}
