/** The part of the Web Speech API used here; the DOM typings know its events but not its class. */
interface BrowserRecognition extends EventTarget {
  continuous: boolean;
  interimResults: boolean;
  lang: string;
  onresult: ((event: SpeechRecognitionEvent) => void) | null;
  onerror: ((event: SpeechRecognitionErrorEvent) => void) | null;
  onend: (() => void) | null;
  start(track?: MediaStreamTrack): void;
  abort(): void;
}

interface SpeechRecognitionEvent extends Event {
  readonly resultIndex: number;
  readonly results: SpeechRecognitionResultList;
}

interface SpeechRecognitionErrorEvent extends Event {
  readonly error: string;
}

export interface RecognitionOptions {
  readonly track: MediaStreamTrack | undefined;
  readonly onPartial: (text: string) => void;
  readonly onFinal: (text: string) => void;
  /** The browser's recognizer does not work here (blocked, offline, no service). */
  readonly onUnavailable: () => void;
}

/** Errors that do not end listening. */
const PASSING_ERRORS: readonly string[] = ["no-speech", "aborted"];
/** A recognizer that repeatedly stops at once is broken. */
const MAX_QUICK_STOPS = 5;
const QUICK_STOP_MS = 1_000;
const RESTART_DELAY_MS = 250;

/** Transcribes the caller in the browser, where it has a recognizer. */
export class Recognition {
  readonly #recognizer: BrowserRecognition;
  readonly #options: RecognitionOptions;
  #state: "stopped" | "running" = "stopped";
  #quickStops = 0;
  #listeningSinceMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(recognizer: BrowserRecognition, options: RecognitionOptions) {
    this.#recognizer = recognizer;
    this.#options = options;
    recognizer.continuous = true;
    recognizer.interimResults = true;
    recognizer.lang = navigator.language;
    recognizer.onresult = (event) => this.#onResult(event);
    recognizer.onerror = (event) => this.#onError(event.error);
    recognizer.onend = () => this.#onEnd();
  }

  /** @returns undefined where the browser has no recognizer */
  static create(options: RecognitionOptions): Recognition | undefined {
    const scope = globalThis as Partial<
      Record<"SpeechRecognition" | "webkitSpeechRecognition", new () => BrowserRecognition>
    >;
    const Recognizer = scope.SpeechRecognition ?? scope.webkitSpeechRecognition;
    return Recognizer === undefined ? undefined : new Recognition(new Recognizer(), options);
  }

  start(): void {
    if (this.#state === "running") return;
    this.#state = "running";
    this.#quickStops = 0;
    this.#listen();
  }

  stop(): void {
    if (this.#state === "stopped") return;
    this.#state = "stopped";
    clearTimeout(this.#timer);
    this.#recognizer.abort();
  }

  /** Given the track, newer browsers listen after echo cancellation; older ones ignore the argument. */
  #listen(): void {
    this.#listeningSinceMs = performance.now();
    try {
      this.#recognizer.start(this.#options.track);
    } catch {
      // The recognizer is still stopping, and an end event may never come, so a timer restarts it.
      this.#onEnd();
    }
  }

  #onResult({ resultIndex, results }: SpeechRecognitionEvent): void {
    if (this.#state === "stopped") return;
    let partial = "";
    for (let i = resultIndex; i < results.length; i++) {
      const text = results[i]?.[0]?.transcript ?? "";
      if (results[i]?.isFinal && text.trim() !== "") this.#options.onFinal(text.trim());
      else partial += text;
    }
    this.#options.onPartial(partial.trim());
  }

  #onError(error: string): void {
    if (PASSING_ERRORS.includes(error) || this.#state === "stopped") return;
    this.#giveUp();
  }

  #onEnd(): void {
    if (this.#state === "stopped") return;
    const wasQuick = performance.now() - this.#listeningSinceMs < QUICK_STOP_MS;
    this.#quickStops = wasQuick ? this.#quickStops + 1 : 0;
    if (this.#quickStops > MAX_QUICK_STOPS) {
      this.#giveUp();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#listen(), RESTART_DELAY_MS);
  }

  #giveUp(): void {
    this.stop();
    this.#options.onUnavailable();
  }
}
