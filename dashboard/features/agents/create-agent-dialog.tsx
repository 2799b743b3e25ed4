import type { Agent } from "@parley/shared/contracts/agents.ts";
import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { TEMPLATES, type Template } from "./agent-templates.ts";

interface CreateAgentDialogProps {
  readonly onClose: () => void;
  readonly onMade: (agent: Agent) => void;
}

/** Creates an agent from a template; everything else can be set later. */
export function CreateAgentDialog({ onClose, onMade }: CreateAgentDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const [template, choose] = useState<Template | undefined>(TEMPLATES[0]);
  const isModel = template?.id !== "endpoint";
  const create = async (fields: FormData): Promise<void> => {
    const settings = template?.settings ?? {};
    const url = textOf(fields, "url");
    const secret = textOf(fields, "secret");
    const brain = {
      ...(isObject(settings.brain) ? settings.brain : {}),
      ...(isModel ? { model: textOf(fields, "model") } : {}),
      ...(url === "" ? {} : { url }),
      ...(secret === "" ? {} : { secret }),
    };
    const body = { ...settings, name: textOf(fields, "name"), brain };
    onMade(await session.call<Agent>("/api/agents", { orgId: org.id, body }));
  };
  return (
    <FormDialog title="Create an agent" does="Create it" onSubmit={create} onClose={onClose}>
      <fieldset className="check-group">
        <legend>Begin with</legend>
        {TEMPLATES.map((one) => (
          <label key={one.id} className="check">
            <input type="radio" name="template" checked={one === template} onChange={() => choose(one)} />
            <span>
              {one.name}
              <br />
              <span className="pf-muted field-hint">{one.says}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        // Another template suggests another name.
        key={template?.id}
        label="Name"
        name="name"
        maxLength={128}
        defaultValue={template?.agentName}
        autoComplete="off"
        required
      />
      {isModel ? (
        <>
          <Field
            label="Model"
            name="model"
            maxLength={256}
            defaultValue="gpt-4o-mini"
            autoComplete="off"
            required
          />
          <Field
            label="Address of the model (optional)"
            name="url"
            type="url"
            placeholder="https://api.openai.com/v1"
            autoComplete="off"
            hint="Of any OpenAI-compatible service. Empty takes the one of this Parley’s operator, with its key."
          />
          <Field
            label="Its key (optional)"
            name="secret"
            type="password"
            maxLength={512}
            autoComplete="new-password"
            hint="Nobody sees it again. Not needed at the operator’s own address."
          />
        </>
      ) : (
        <Field
          label="Address of your endpoint"
          name="url"
          type="url"
          placeholder="https://example.com/agent"
          autoComplete="off"
          hint="Parley POSTs each turn there; it answers with tokens as server-sent events."
          required
        />
      )}
    </FormDialog>
  );
}
