import { adapt, type Capacity, FULL_CAPACITY, type NodeLoad } from "./capacity.ts";
import type { FrontEnd, FrontEndStream } from "./front-end.ts";

/** What an agent wants from the front end, in the words of its settings. */
export interface HearingWishes {
  readonly noiseSuppression: "auto" | "on" | "off";
  readonly vad: "auto" | "neural" | "webrtc";
}

/** One call's share of the node's front end. */
export interface CallFrontEnd extends Pick<FrontEndStream, "push" | "close"> {
  /** True if the voice model decides on the next frame. */
  detects(): boolean;
  /** True if the next frame is to be denoised; `isNoisy` tells whether the call's room is worth it. */
  denoises(isNoisy: boolean): boolean;
}

/** The number of calls for each kind of hearing. */
export interface HearingCounts {
  readonly denoised: number;
  readonly neural: number;
  readonly webrtc: number;
}

type Measured = Omit<NodeLoad, "denoised">;

/** Shares a node's front end among its calls, with less to share when the node is busy. */
export class Allotment {
  readonly #frontEnd: FrontEnd;
  readonly #calls = new Map<CallFrontEnd, HearingWishes>();
  /** Calls with noise suppression, oldest first: when capacity shrinks, the newest lose it. */
  readonly #denoised = new Set<CallFrontEnd>();
  #capacity: Capacity = FULL_CAPACITY;

  constructor(frontEnd: FrontEnd) {
    this.#frontEnd = frontEnd;
  }

  /** The capacity being shared. */
  get capacity(): Capacity {
    return this.#capacity;
  }

  get counts(): HearingCounts {
    let neural = 0;
    for (const call of this.#calls.keys()) if (call.detects()) neural += 1;
    return { denoised: this.#denoised.size, neural, webrtc: this.#calls.size - neural };
  }

  /** Lets a call join until it closes its share. */
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

  /** Measures the node's load, once a second. */
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

  /** Calls whose noise is suppressed only because there was room for it. */
  #optional(): CallFrontEnd[] {
    return [...this.#denoised].filter((call) => this.#calls.get(call)?.noiseSuppression === "auto");
  }
}
