import { type Agent, createAgentSchema } from "@parley/shared/contracts/agents.ts";
import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
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
  const form = useSchemaForm({
    schema: createAgentSchema,
    // Another template suggests another name.
    values: { name: template?.agentName ?? "", model: "gpt-4o-mini", url: "", secret: "" },
    places: { "brain.model": "model", "brain.url": "url", "brain.secret": "secret" },
    body: ({ name, model, url, secret }) => {
      const settings = template?.settings ?? {};
      const brain = {
        ...(isObject(settings.brain) ? settings.brain : {}),
        ...(isModel ? { model: model.trim() } : {}),
        ...(url.trim() === "" ? {} : { url: url.trim() }),
        ...(isModel && secret !== "" ? { secret } : {}),
      };
      return { ...settings, name, brain };
    },
    send: async (body) => onMade(await session.call<Agent>("/api/agents", { orgId: org.id, body })),
  });
  return (
    <SchemaDialog title="Create agent" does="Create agent" form={form} onClose={onClose}>
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
      <Field {...form.field("name", "Name")} autoComplete="off" required />
      {isModel ? (
        <>
          <Field {...form.field("model", "Model")} autoComplete="off" required />
          <Field
            {...form.field("url", "Address of the model (optional)")}
            type="url"
            placeholder="https://api.openai.com/v1"
            autoComplete="off"
            hint="Of any OpenAI-compatible service. Leave empty to use the server’s own."
          />
          <Field
            {...form.field("secret", "API key (optional)")}
            type="password"
            autoComplete="new-password"
            hint="You won’t see it again. Not needed for the server’s own service."
          />
        </>
      ) : (
        <Field
          {...form.field("url", "Address of your endpoint")}
          type="url"
          placeholder="https://example.com/agent"
          autoComplete="off"
          hint="Parley POSTs each turn there; it answers with tokens as server-sent events."
          required
        />
      )}
    </SchemaDialog>
  );
}
