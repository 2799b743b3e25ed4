import type { StreamFrame, streamFrameSchema } from "@parley/shared/contracts/stream-frames.ts";
import { ApiError } from "../../api/api-error.ts";
import { serverNowMs } from "../../api/server-clock.ts";
import { type LiveView, NOTHING_YET, nextView } from "./live-view.ts";

/** State of the stream's connection. `over`: the call has ended, and nothing more comes. */
export type WatchLink = "connecting" | "live" | "lost" | "over";

export interface Watched {
  readonly link: WatchLink;
  readonly view: LiveView;
  /** Counts events that may have added to the call's record. */
  readonly news: number;
}

/** Pauses before each attempt to connect again; the last one repeats. */
const RETRY_DELAYS_MS = [250, 500, 1_000, 2_000, 5_000] as const;

/**
 * Follows one call's stream while it has listeners. A broken stream is reopened with a new ticket, as tickets
 * live for a minute; missed events are in the record, and `news` says when to read it.
 */
export class CallWatch {
  readonly #streamUrl: () => Promise<string>;
  readonly #network: EventTarget;
  readonly #listeners = new Set<() => void>();
  #watched: Watched = { link: "connecting", view: NOTHING_YET, news: 0 };
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** Numbers attempts: events of an earlier attempt are ignored. */
  #attempt = 0;

  /**
   * @param streamUrl returns an address with a fresh ticket; `ApiError` session_ended means the call is over
   * @param network fires `offline` and `online`
   */
  constructor(streamUrl: () => Promise<string>, network: EventTarget = window) {
    this.#streamUrl = streamUrl;
    this.#network = network;
  }

  readonly current = (): Watched => this.#watched;

  /** Starts with the first listener, and stops when the last one leaves. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  };

  #start(): void {
    if (this.#watched.link === "over") return;
    this.#network.addEventListener("offline", this.#onOffline);
    this.#network.addEventListener("online", this.#onOnline);
    void this.#connect();
  }

  #stop(): void {
    this.#network.removeEventListener("offline", this.#onOffline);
    this.#network.removeEventListener("online", this.#onOnline);
    this.#abandon();
  }

  /** The socket itself may take minutes to notice. */
  readonly #onOffline = (): void => this.#lose();

  readonly #onOnline = (): void => {
    if (this.#watched.link === "lost") void this.#connect();
  };

  async #connect(): Promise<void> {
    this.#abandon();
    const attempt = this.#attempt;
    try {
      const [url, frames] = await Promise.all([this.#streamUrl(), frameSchema()]);
      if (attempt === this.#attempt) this.#open(url, frames);
    } catch (error) {
      if (attempt !== this.#attempt) return;
      if (error instanceof ApiError && error.code === "session_ended") this.#finish();
      else this.#lose();
    }
  }

  #open(url: string, frames: Frames): void {
    const socket = new WebSocket(url);
    this.#socket = socket;
    const isCurrent = (): boolean => this.#socket === socket;
    socket.onopen = () => {
      if (!isCurrent()) return;
      this.#failures = 0;
      this.#tell({ link: "live", view: this.#watched.view, isNews: true });
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const frame = parse(data, frames);
      if (frame && isCurrent()) this.#onFrame(frame);
    };
    socket.onclose = () => {
      if (isCurrent()) this.#lose();
    };
  }

  #onFrame(frame: StreamFrame): void {
    const before = this.#watched.view;
    const view = nextView(before, frame, serverNowMs());
    const isNews = frame.topic !== "call.transcript_partial" || isFirstWord(frame.data, before);
    if (view.ended) this.#finish(view);
    else this.#tell({ link: "live", view, isNews });
  }

  #finish(view: LiveView = this.#watched.view): void {
    this.#stop();
    this.#tell({ link: "over", view: { ...view, open: {}, speaker: undefined }, isNews: true });
  }

  #lose(): void {
    this.#abandon();
    const delayMs = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)];
    this.#failures += 1;
    this.#timer = setTimeout(() => void this.#connect(), delayMs);
    // Partial transcripts are complete by now, and in the record.
    const view = { ...this.#watched.view, open: {}, speaker: undefined };
    this.#tell({ link: "lost", view, isNews: false });
  }

  #abandon(): void {
    this.#attempt += 1;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #tell({ isNews, ...next }: Omit<Watched, "news"> & { readonly isNews: boolean }): void {
    this.#watched = { ...next, news: this.#watched.news + (isNews ? 1 : 0) };
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Whether this is an answer's first word, which brings the turn's figures. */
function isFirstWord({ role, turn }: { role: "user" | "assistant"; turn: number }, view: LiveView): boolean {
  return view.open[role]?.turn !== turn;
}

type Frames = typeof streamFrameSchema;

/** Loaded with the first watched call: most call pages show one that is over. */
async function frameSchema(): Promise<Frames> {
  return (await import("@parley/shared/contracts/stream-frames.ts")).streamFrameSchema;
}

/** Skips frames of a later contract, which only ever extends this one. */
function parse(data: string, frames: Frames): StreamFrame | undefined {
  try {
    return frames.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}
