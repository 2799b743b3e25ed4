import type { HistogramData } from "../report/histogram.ts";
import type { CallerScript } from "./script.ts";
import type { TallyData } from "./tally.ts";

/** Messages from the fleet to a process of callers. */
export type ToCallers =
  | { readonly type: "call"; readonly url: string; readonly script: CallerScript }
  /** Clears the counts: measuring starts. */
  | { readonly type: "measure" }
  /** Requests the counts. */
  | { readonly type: "report" }
  | { readonly type: "hang-up" };

/** Messages from a process of callers to the fleet. */
export type FromCallers =
  | { readonly type: "ready" }
  | { readonly type: "progress"; readonly live: number; readonly tally: TallyData["counts"] }
  /** `lag`: how late the callers' own clock ran, which bounds the precision of their measurements. */
  | { readonly type: "report"; readonly tally: TallyData; readonly lag: HistogramData }
  | { readonly type: "all-gone" };
