import { type Done, type FrontEndResult, TASK } from "./tasks.ts";
import { WindowCount } from "./window-count.ts";

/** A frame for the thread. */
export interface LaneFrame {
  readonly frame: Int16Array;
  readonly tasks: number;
  /** Undefined if nobody waits for the thread's answer. */
  readonly done: Done | undefined;
}

/** The last frame that the thread was asked about, and the later frames that its answer covers. */
interface Asked {
  readonly followers: { readonly frame: Int16Array; readonly done: Done }[];
}

/**
 * Decides which of one stream's frames are worth waking the thread for. The model looks at 32 ms at a time, so three of
 * eight frames just share the previous frame's verdict; and a frame that nobody asks about may wait until a later one
 * is asked about.
 */
export class Lane {
  readonly #windows = new WindowCount();
  /** Frames to send along with the next frame that the thread is asked about. */
  #held: LaneFrame[] = [];
  /** True if the thread was asked about the last window, whose verdict holds until the next one. */
  #isWindowAsked = false;
  #asked: Asked | undefined;
  #probability = 0;

  /** Takes the next frame. Returns the frames to send to the thread now; frames that need no answer finish in order. */
  push(frame: Int16Array, tasks: number, done: Done): readonly LaneFrame[] {
    if (tasks & TASK.restartDetect) {
      this.#windows.restart();
      this.#held = [];
      this.#isWindowAsked = false;
    }
    const isUnasked = (tasks & TASK.unasked) !== 0;
    const hasWindow = (tasks & TASK.detect) !== 0 && this.#windows.push();
    if (hasWindow) this.#isWindowAsked = !isUnasked;
    const isOwed = hasWindow || !this.#isWindowAsked || (tasks & TASK.denoise) !== 0;
    if (isOwed && !isUnasked) return [...this.#held.splice(0), { frame, tasks, done: this.#ask(done) }];
    this.#held.push({ frame, tasks, done: undefined });
    if (this.#asked) this.#asked.followers.push({ frame, done });
    else done({ probability: this.#probability, samples: frame });
    return [];
  }

  #ask(done: Done): Done {
    const asked: Asked = { followers: [] };
    this.#asked = asked;
    return (result) => {
      if (this.#asked === asked) this.#asked = undefined;
      if (result) this.#probability = result.probability;
      else this.#isWindowAsked = false;
      done(result);
      for (const follower of asked.followers) follower.done(resultFor(follower.frame, result));
    };
  }
}

function resultFor(
  samples: Int16Array,
  before: Pick<FrontEndResult, "probability"> | undefined,
): FrontEndResult | undefined {
  return before && { probability: before.probability, samples };
}
