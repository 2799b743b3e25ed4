import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { makeUtterances } from "../../callers/speech.ts";
import type { Bench, Figure } from "../harness/figure.ts";
import { onCpu } from "../harness/pin.ts";
import { codecUnits } from "./codec-units.ts";
import { frameUnits } from "./frame-units.ts";
import { textUnits } from "./text-units.ts";
import { checksum, measureUnit } from "./unit.ts";

const CPU = 0;

/** Costs of the smallest pieces, to locate a regression. */
export const units: Bench = {
  name: "units",
  title: "The smallest pieces: ns of CPU each, one pinned core",
  run: async (say) => {
    const speech = await makeUtterances();
    const frames = speech.flatMap((utterance) =>
      utterance.frames.map((bytes) => new Int16Array(bytes.buffer, bytes.byteOffset, FRAME_SAMPLES)),
    );
    return onCpu(CPU, async () => {
      const figures: Figure[] = [];
      for (const unit of [...(await codecUnits(frames)), ...(await frameUnits(frames)), ...textUnits()]) {
        const figure = await measureUnit(unit);
        figures.push(figure);
        say(`${figure.title}: ${figure.ours.median.toFixed(0)} ns`);
      }
      say(`checksum ${checksum().toFixed(0)}`);
      return figures;
    });
  },
};
