import type { Agent } from "@parley/shared/contracts/agents.ts";
import { Field } from "../../ui/field.tsx";
import { textOf } from "../../ui/use-submit.ts";

const PREFIX = "variable-";

/** The variables a call of this agent supplies; required ones must be filled in. */
export function VariableFields({ agent }: { readonly agent: Agent }) {
  if (agent.variables.length === 0) return null;
  return (
    <fieldset className="check-group stack agent-variables">
      <legend>Variables of this call</legend>
      {agent.variables.map(({ name, description, required }) => (
        <Field
          key={name}
          label={required ? name : `${name} (optional)`}
          name={`${PREFIX}${name}`}
          hint={description}
          maxLength={4_000}
          autoComplete="off"
          required={required}
        />
      ))}
    </fieldset>
  );
}

/** The filled-in variables; empty ones are left out. */
export function variablesIn(fields: FormData, agent: Agent): Record<string, string> {
  const filled = agent.variables.map(({ name }) => [name, textOf(fields, `${PREFIX}${name}`)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== ""));
}
