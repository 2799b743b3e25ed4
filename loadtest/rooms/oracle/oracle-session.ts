import { Framer } from "@parley/media/framing/framer.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import type { WebSocket } from "ws";
import { plainWords } from "../callers/questions.ts";
import { levelDb, VOICE_DB } from "../sounds/level.ts";
import { Alignment } from "./alignment.ts";
import type { SentTimeline, SentWord } from "./sent-timeline.ts";

/** Delay from the end of a word to its text; that of a good streaming recognizer. */
const INTERIM_MS = 200;
const FINAL_MS = 120;
/** Sends something this often while audio arrives, even without words; a silent recognizer counts as dead. */
const TELL_EVERY_FRAMES = 1_000 / FRAME_MS;
/** Deepgram's own ends of speech: silence, and time without a word. */
const ENDPOINTING_FRAMES = 300 / FRAME_MS;
const UTTERANCE_END_FRAMES = 1_000 / FRAME_MS;
/** Audio this much softer than a caller counts as silence. */
const SILENT_DB = VOICE_DB - 18;
/**
 * The agent's voice is understood when it exceeds the rest by CLEAR_ECHO_DB; above FAINT_ECHO_DB, every other
 * word.
 */
const CLEAR_ECHO_DB = 15;
const FAINT_ECHO_DB = 6;

/**
 * A recognizer without errors (Deepgram's live protocol): returns the words whose audio arrived, when it
 * arrived. Noise does not affect it. Audible loudspeaker audio yields words, as with any recognizer.
 */
export class OracleSession {
  readonly #socket: WebSocket;
  readonly #sent: SentTimeline;
  readonly #alignment: Alignment;
  readonly #framer = new Framer(FRAME_SAMPLES);
  readonly #considered = new Set<SentWord>();
  #frames = 0;
  #segmentStart = 0;
  #text: string[] = [];
  /** Words whose audio has arrived, but whose text has not been sent. */
  #pending: SentWord[] = [];
  /** End of the last word, until its utterance end was sent. */
  #lastWordFrame: number | undefined;
  #silentFrames = 0;

  constructor(socket: WebSocket, sent: SentTimeline) {
    this.#socket = socket;
    this.#sent = sent;
    this.#alignment = new Alignment(sent);
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.#onAudio(data);
      else this.#onMessage(JSON.parse(data.toString("utf8")) as { type: string });
    });
  }

  #onAudio(bytes: Buffer): void {
    const samples = new Int16Array(new Uint8Array(bytes).buffer);
    this.#framer.push(samples, (frame) => {
      this.#frames += 1;
      this.#alignment.push(frame);
      this.#silentFrames = levelDb(frame) < SILENT_DB ? this.#silentFrames + 1 : 0;
      this.#hear();
      if (this.#frames % TELL_EVERY_FRAMES === 0) this.#tellInterim();
    });
  }

  #onMessage({ type }: { type: string }): void {
    if (type === "Finalize") setTimeout(() => this.#settle({ from_finalize: true }), FINAL_MS);
    if (type === "CloseStream") this.#socket.close();
  }

  #hear(): void {
    const { reached } = this.#alignment;
    for (const word of this.#sent.words) {
      if (word.toFrame > reached || this.#considered.has(word)) continue;
      this.#considered.add(word);
      if (!this.#isHeard(word)) continue;
      this.#pending.push(word);
      this.#lastWordFrame = Math.max(this.#lastWordFrame ?? 0, word.toFrame);
      setTimeout(() => this.#tell(word), INTERIM_MS);
    }
    if (this.#text.length > 0 && this.#silentFrames >= ENDPOINTING_FRAMES)
      this.#settle({ speech_final: true });
    // Judged by the words' own times, regardless of earlier finals.
    const isOver = this.#lastWordFrame !== undefined && reached - this.#lastWordFrame >= UTTERANCE_END_FRAMES;
    if (isOver) this.#endUtterance();
  }

  #isHeard({ speaker, fromFrame, toFrame }: SentWord): boolean {
    if (!this.#alignment.isWhole(fromFrame, toFrame)) return false;
    if (speaker === "caller") return true;
    const overRestDb = this.#sent.echoOverRestDb(fromFrame, toFrame);
    return overRestDb >= CLEAR_ECHO_DB || (overRestDb >= FAINT_ECHO_DB && fromFrame % 2 === 0);
  }

  #tell(word: SentWord): void {
    const isOpen = this.#pending.includes(word);
    if (!isOpen) return;
    this.#pending = this.#pending.filter((other) => other !== word);
    this.#text.push(word.text);
    this.#tellInterim();
  }

  #tellInterim(): void {
    this.#send({ text: plainWords(this.#text.join(" ")).join(" "), isFinal: false });
  }

  #settle(flags: { from_finalize?: true; speech_final?: true }): void {
    const text = [...this.#text, ...this.#pending.map((word) => word.text)].join(" ");
    this.#send({ text, isFinal: true, flags });
    this.#beginSegment();
  }

  #endUtterance(): void {
    this.#lastWordFrame = undefined;
    this.#socket.send(
      JSON.stringify({ type: "UtteranceEnd", last_word_end: this.#frames * (FRAME_MS / 1_000) }),
    );
    this.#beginSegment();
  }

  #beginSegment(): void {
    this.#text = [];
    this.#pending = [];
    this.#segmentStart = this.#frames;
  }

  #send({ text, isFinal, flags }: { text: string; isFinal: boolean; flags?: object }): void {
    const secs = (frames: number): number => (frames * FRAME_MS) / 1_000;
    const message = {
      type: "Results",
      start: secs(this.#segmentStart),
      duration: secs(this.#frames - this.#segmentStart),
      is_final: isFinal,
      speech_final: false,
      ...flags,
      channel: { alternatives: [{ transcript: text, confidence: 0.99, words: [] }] },
    };
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
