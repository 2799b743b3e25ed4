export interface RoundTripDeps {
  readonly ping: (id: number) => void;
  readonly onMs: (ms: number) => void;
}

const EVERY_MS = 2_000;

/** Pings the gateway every two seconds and reports the round trip. */
export class RoundTrip {
  readonly #deps: RoundTripDeps;
  #timer: ReturnType<typeof setInterval> | undefined;
  #id = 0;
  #sentAtMs = 0;

  constructor(deps: RoundTripDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.stop();
    this.#timer = setInterval(() => this.#ping(), EVERY_MS);
    this.#ping();
  }

  /** Ignores pongs of older pings. */
  onPong(id: number): void {
    if (id === this.#id) this.#deps.onMs(performance.now() - this.#sentAtMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #ping(): void {
    this.#id += 1;
    this.#sentAtMs = performance.now();
    this.#deps.ping(this.#id);
  }
}
