import type { CreatedTeam, TemplateList } from "@parley/shared/contracts/templates.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useData } from "../../api/use-data.ts";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { textOf } from "../../ui/use-submit.ts";

type Chosen =
  | { readonly of: "agent"; readonly template: TemplateList["agents"][number] }
  | { readonly of: "team"; readonly template: TemplateList["teams"][number] };

/** Templates for an agent, or for a team of agents. */
export function TemplatesPage() {
  const session = useSession();
  const here = useHere();
  const [chosen, choose] = useState<Chosen>();
  const path = `/api/orgs/${here.org.id}/templates`;
  const loaded = useData(path, () => session.call<TemplateList>(path, { method: "GET", orgId: here.org.id }));
  const mayChange = can(here, "manage_agents");
  return (
    <>
      <Link to="/agents" className="back-link">
        <Icon name="back" /> Agents
      </Link>
      <AppPage title="Templates">
        <p className="pf-muted">Agents made from a template are yours to change.</p>
        {!mayChange && <p className="pf-muted">Owners, admins and developers create agents.</p>}
        <Loaded of={loaded}>
          {({ agents, teams }) => (
            <ul className="agent-templates">
              {agents.map((template) => (
                <TemplateCard
                  key={template.id}
                  template={template}
                  kind={template.kind === "flow" ? "Flow" : "Prompt"}
                  onChoose={mayChange ? () => choose({ of: "agent", template }) : undefined}
                />
              ))}
              {teams.map((template) => (
                <TemplateCard
                  key={template.id}
                  template={template}
                  kind={`Team of ${template.agents.length}`}
                  onChoose={mayChange ? () => choose({ of: "team", template }) : undefined}
                />
              ))}
            </ul>
          )}
        </Loaded>
      </AppPage>
      {chosen && <CreateDialog chosen={chosen} onClose={() => choose(undefined)} />}
    </>
  );
}

interface TemplateCardProps {
  readonly template: Chosen["template"];
  readonly kind: string;
  /** Undefined for people who may only look. */
  readonly onChoose: (() => void) | undefined;
}

function TemplateCard({ template, kind, onChoose }: TemplateCardProps) {
  const { id, name, description, requires } = template;
  return (
    <li className="pf-card panel" aria-labelledby={`template-${id}`}>
      <div className="row row-spread">
        <h2 id={`template-${id}`}>{name}</h2>
        <span className="pf-badge">{kind}</span>
      </div>
      <p>{description}</p>
      {requires.length > 0 && (
        <p className="pf-muted">
          Needs a <Link to="/integrations/catalog">connection</Link> with{" "}
          {requires.map((capability) => capability.replace(".", " ")).join(", ")}.
        </p>
      )}
      {onChoose && (
        <div className="row">
          <button type="button" className="pf-btn" onClick={onChoose}>
            Use this template<span className="only-heard"> {name}</span>
          </button>
        </div>
      )}
    </li>
  );
}

function CreateDialog({ chosen, onClose }: { readonly chosen: Chosen; readonly onClose: () => void }) {
  const session = useSession();
  const { org } = useHere();
  const navigate = useNavigate();
  const { template } = chosen;
  const open = (id: string | null, kind: "single" | "flow"): void => {
    if (id === null) void navigate({ to: "/agents" });
    else {
      const section = kind === "flow" ? "flow" : "brain";
      void navigate({ to: "/agents/$id/{-$section}", params: { id, section } });
    }
  };
  const create = async (fields: FormData): Promise<void> => {
    if (chosen.of === "team") {
      const path = `/api/orgs/${org.id}/team-templates/${template.id}/agents`;
      const made = await session.call<CreatedTeam>(path, { orgId: org.id });
      const entry = made.agents.find(({ agentId }) => agentId === made.entryAgentId);
      return open(made.entryAgentId, entry?.kind ?? "single");
    }
    const path = `/api/orgs/${org.id}/templates/${template.id}/agents`;
    const body = { name: textOf(fields, "name") };
    const made = await session.call<{ agentId: string; kind: "single" | "flow" }>(path, {
      orgId: org.id,
      body,
    });
    open(made.agentId, made.kind);
  };
  return (
    <FormDialog title={template.name} does="Create agent" onSubmit={create} onClose={onClose}>
      {chosen.of === "agent" ? (
        <Field
          label="Name"
          name="name"
          maxLength={128}
          defaultValue={template.name}
          autoComplete="off"
          required
        />
      ) : (
        <p>
          Creates {chosen.template.agents.map(({ name }) => name).join(", ")}. They hand callers to each
          other.
        </p>
      )}
    </FormDialog>
  );
}
