import type { ComponentProps, ReactNode } from "react";
import { ChoiceField } from "../../ui/field.tsx";

interface AgentFieldProps extends Omit<ComponentProps<typeof ChoiceField>, "children"> {
  readonly agents: ReadonlyMap<string, string>;
  /** Options listed before the agents. */
  readonly children?: ReactNode;
}

/** Chooses one of the organization's agents. */
export function AgentField({ agents, children, ...field }: AgentFieldProps) {
  return (
    <ChoiceField {...field}>
      {children}
      {[...agents].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </ChoiceField>
  );
}
