import { adapt, type Capacity, FULL_CAPACITY, type NodeLoad } from "./capacity.ts";
import type { FrontEnd, FrontEndStream } from "./front-end.ts";

/** What an agent wants of the front end; the words are those of its settings. */
export interface HearingWishes {
  readonly noiseSuppression: "auto" | "on" | "off";
  readonly vad: "auto" | "neural" | "webrtc";
}

/** One call's part of the node's front end. */
export interface CallFrontEnd extends Pick<FrontEndStream, "push" | "close"> {
  /** The model of voice is to decide on the next frame. */
  detects(): boolean;
  /** The next frame is to be denoised; `isNoisy` says whether the call's room is worth it. */
  denoises(isNoisy: boolean): boolean;
}

/** How many calls are heard how. */
export interface HearingCounts {
  readonly denoised: number;
  readonly neural: number;
  readonly webrtc: number;
}

type Measured = Omit<NodeLoad, "denoised">;

/** Shares the front end of a node out among its calls, less of it when the node is busy. */
export class Allotment {
  readonly #frontEnd: FrontEnd;
  readonly #calls = new Map<CallFrontEnd, HearingWishes>();
  /** Calls whose noise is suppressed, oldest first: when there is less to go round the newest lose it. */
  readonly #denoised = new Set<CallFrontEnd>();
  #capacity: Capacity = FULL_CAPACITY;

  constructor(frontEnd: FrontEnd) {
    this.#frontEnd = frontEnd;
  }

  /** How much is shared out. */
  get capacity(): Capacity {
    return this.#capacity;
  }

  get counts(): HearingCounts {
    let neural = 0;
    for (const call of this.#calls.keys()) if (call.detects()) neural += 1;
    return { denoised: this.#denoised.size, neural, webrtc: this.#calls.size - neural };
  }

  /** A call joins, until it closes its part. */
  open(wishes: HearingWishes): CallFrontEnd {
    const stream = this.#frontEnd.open();
    const call: CallFrontEnd = {
      push: stream.push,
      detects: () => this.#detects(wishes),
      denoises: (isNoisy) => this.#denoises(call, wishes, isNoisy),
      close: () => {
        this.#calls.delete(call);
        this.#denoised.delete(call);
        stream.close();
      },
    };
    this.#calls.set(call, wishes);
    return call;
  }

  /** Looks at the node, once a second. */
  look(load: Measured): void {
    this.#capacity = adapt(this.#capacity, { ...load, denoised: this.#optional().length });
    const { denoised } = this.#capacity;
    for (const call of this.#optional().slice(Math.min(denoised, this.#denoised.size))) {
      this.#denoised.delete(call);
    }
  }

  #detects({ vad }: HearingWishes): boolean {
    if (vad === "webrtc" || !this.#frontEnd.isReady) return false;
    return vad === "neural" || this.#capacity.detects;
  }

  #denoises(call: CallFrontEnd, { noiseSuppression }: HearingWishes, isNoisy: boolean): boolean {
    const isWanted = noiseSuppression === "on" || (noiseSuppression === "auto" && isNoisy);
    if (!isWanted || !this.#frontEnd.isReady) {
      this.#denoised.delete(call);
      return false;
    }
    if (this.#denoised.has(call)) return true;
    if (noiseSuppression === "auto" && this.#optional().length >= this.#capacity.denoised) return false;
    this.#denoised.add(call);
    return true;
  }

  /** Calls whose noise is suppressed because there was room for it. */
  #optional(): CallFrontEnd[] {
    return [...this.#denoised].filter((call) => this.#calls.get(call)?.noiseSuppression === "auto");
  }
}
