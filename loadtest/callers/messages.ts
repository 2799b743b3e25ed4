import type { HistogramData } from "../report/histogram.ts";
import type { CallerScript } from "./script.ts";
import type { TallyData } from "./tally.ts";

/** What the fleet tells a process of callers. */
export type ToCallers =
  | { readonly type: "call"; readonly url: string; readonly script: CallerScript }
  /** Forget what was counted so far: the measuring begins. */
  | { readonly type: "measure" }
  /** Tell what was counted. */
  | { readonly type: "report" }
  | { readonly type: "hang-up" };

/** What a process of callers tells the fleet. */
export type FromCallers =
  | { readonly type: "ready" }
  | { readonly type: "progress"; readonly live: number; readonly tally: TallyData["counts"] }
  /** `lag`: how late the callers' own clock turned; what they measure is no better than that. */
  | { readonly type: "report"; readonly tally: TallyData; readonly lag: HistogramData }
  | { readonly type: "all-gone" };
