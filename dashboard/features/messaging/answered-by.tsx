import type { ComponentProps } from "react";
import { ChoiceField } from "../../ui/field.tsx";
import { useAgentNames } from "../agents/use-agent-names.ts";

type AnsweredByProps = Omit<ComponentProps<typeof ChoiceField>, "children" | "hint">;

/** Chooses who answers: an agent, or people. */
export function AnsweredBy(field: AnsweredByProps) {
  const agents = useAgentNames();
  return (
    <ChoiceField
      // The options load after the field.
      key={agents.size}
      {...field}
      hint="Your team can take over any conversation in the inbox."
    >
      <option value="">Your team</option>
      {[...agents].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </ChoiceField>
  );
}
