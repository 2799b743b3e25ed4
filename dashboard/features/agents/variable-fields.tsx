import type { Agent } from "@parley/shared/contracts/agents.ts";
import type { ComponentProps } from "react";
import { Field } from "../../ui/field.tsx";
import { textOf } from "../../ui/use-submit.ts";

const PREFIX = "variable-";

interface VariableFieldsProps {
  readonly agent: Agent;
  /** The fields of a form that is checked with a schema, by variable; absent: of a plain one. */
  readonly fieldOf?: (variable: string, label: string) => ComponentProps<typeof Field>;
}

/** The variables a call of this agent supplies; required ones must be filled in. */
export function VariableFields({ agent, fieldOf = plainField }: VariableFieldsProps) {
  if (agent.variables.length === 0) return null;
  return (
    <fieldset className="check-group stack agent-variables">
      <legend>Variables of this call</legend>
      {agent.variables.map(({ name, description, required }) => (
        <Field
          key={name}
          {...fieldOf(name, required ? name : `${name} (optional)`)}
          hint={description}
          maxLength={4_000}
          autoComplete="off"
          required={required}
        />
      ))}
    </fieldset>
  );
}

function plainField(variable: string, label: string) {
  return { name: `${PREFIX}${variable}`, label };
}

/** The filled-in variables; empty ones are left out. */
export function variablesIn(fields: FormData, agent: Agent): Record<string, string> {
  const filled = agent.variables.map(({ name }) => [name, textOf(fields, `${PREFIX}${name}`)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== ""));
}
