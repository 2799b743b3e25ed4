import type { Scenario } from "@parley/shared/contracts/rehearsals.ts";
import { ModelCaller } from "./model-caller.ts";
import type { CallerDeps, RehearsedCaller } from "./rehearsed-caller.ts";
import { ScriptedCaller } from "./scripted-caller.ts";

/** A script's lines first, where they fit; then the persona's own words, where there is one. */
export function callerOf({ persona, ...script }: Scenario["caller"], deps: CallerDeps): RehearsedCaller {
  const scripted = new ScriptedCaller(script);
  const played = persona && new ModelCaller(persona, deps);
  return {
    next: async (transcript) => {
      const lastWords = transcript.at(-1)?.text ?? "";
      const fitting = scripted.fitting(lastWords);
      if (fitting) return { ...fitting, hangsUp: false };
      if (played) return played.next(transcript);
      const say = scripted.otherwise();
      return { say, hangsUp: say === undefined };
    },
  };
}
