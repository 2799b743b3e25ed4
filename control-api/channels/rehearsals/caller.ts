import type { Scenario } from "@parley/shared/contracts/rehearsals.ts";
import { ModelCaller } from "./model-caller.ts";
import type { CallerDeps, RehearsedCaller } from "./rehearsed-caller.ts";
import { heardUntil, ScriptedCaller } from "./scripted-caller.ts";

/** Uses a script's lines first, where they fit, then the persona's own words, if there is one. */
export function callerOf({ persona, ...script }: Scenario["caller"], deps: CallerDeps): RehearsedCaller {
  const scripted = new ScriptedCaller(script);
  const played = persona && new ModelCaller(persona, deps);
  return {
    cutsIn: (words) => {
      const fitting = scripted.fitting(words.text);
      if (fitting) return fitting.cutsIn ? heardUntil(words.text, fitting.to) : undefined;
      return played?.cutsIn(words);
    },
    next: async (heard, isCut) => {
      const fitting = scripted.fitting(heard.at(-1)?.text ?? "");
      if (fitting) return { say: scripted.say(fitting), hangsUp: false };
      if (played) return played.next(heard, isCut);
      const say = scripted.otherwise();
      return { say, hangsUp: say === undefined };
    },
  };
}
