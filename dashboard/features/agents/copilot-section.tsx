import type { CopilotModels, DraftedAgent, DraftPart } from "@parley/shared/contracts/copilot.ts";
import { type Json, mergePatch } from "@parley/shared/contracts/merge-patch.ts";
import { type FormEvent, useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field, LongField, SelectField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { changesBetween } from "./agent-diff.ts";
import { draftOf } from "./agent-draft.ts";
import { ChangeList } from "./change-list.tsx";
import { patchBetween } from "./patch-between.ts";
import { SectionPart } from "./section-part.tsx";
import { agentPath, useEditor } from "./use-editor.tsx";

const PART_NAMES: Readonly<Record<DraftPart, string>> = {
  prompt: "Prompt",
  flow: "Flow",
  opening: "Opening words",
  variables: "Variables",
  fields: "Fields",
  scenarios: "Scenarios",
};

/** Drafts the agent from a description. Accepted parts become unsaved changes like any other. */
export function CopilotSection() {
  const { agent, mayChange } = useEditor();
  const session = useSession();
  const { org } = useHere();
  const path = `${agentPath(agent.id)}/copilot`;
  const loaded = useData(`${path}#${org.id}#${agent.version}`, () =>
    session.call<CopilotModels>(path, { method: "GET", orgId: org.id }),
  );
  return (
    <SectionPart
      title="Copilot"
      lead="Say in your own words what the agent should do, or what should be different. A model drafts it; nothing changes until you accept a part and save."
    >
      {mayChange ? (
        <Loaded of={loaded}>{(models) => <Copilot models={models} path={path} />}</Loaded>
      ) : (
        <p>Your role here may not change the agent.</p>
      )}
    </SectionPart>
  );
}

interface CopilotProps {
  readonly models: CopilotModels;
  readonly path: string;
}

function Copilot({ models: { models, mayName }, path }: CopilotProps) {
  const { agent, draft, faults, isChanged } = useEditor();
  const session = useSession();
  const { org } = useHere();
  const [isAsked, setAsked] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [drafted, setDrafted] = useState<DraftedAgent>();
  if (models.length === 0 && !mayName) {
    return (
      <p>
        No model is available. Set a model and its key in the brain of an agent, or ask the operator of this
        server to set up an OpenAI-compatible service (<code>OPENAI_API_KEY</code>,{" "}
        <code>OPENAI_BASE_URL</code>).
      </p>
    );
  }
  const ask = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const change = isChanged ? { draft: patchBetween(draftOf(agent), draft) } : {};
    const body = { wish: textOf(fields, "wish"), model: textOf(fields, "model"), ...change };
    setAsked(true);
    setProblem(undefined);
    setDrafted(undefined);
    try {
      setDrafted(await session.call<DraftedAgent>(path, { method: "POST", orgId: org.id, body }));
    } catch (error) {
      setProblem(reasonOf(error));
    } finally {
      setAsked(false);
    }
  };
  const isFaulty = isChanged && Object.keys(faults).length > 0;
  return (
    <>
      <form className="stack" onSubmit={(event) => void ask(event)}>
        <LongField
          label="What it should do"
          name="wish"
          rows={5}
          maxLength={8_000}
          placeholder="Take appointments for my salon: ask for the service, the day and a phone number, and transfer callers who want a person to +49 30 123456."
          required
        />
        {models.length > 0 ? (
          <SelectField label="Model" name="model" options={models} />
        ) : (
          <Field label="Model" name="model" hint="As its service calls it." maxLength={256} required />
        )}
        <div className="row">
          <button type="submit" className="pf-btn pf-btn-primary" disabled={isAsked || isFaulty}>
            Draft changes
          </button>
          {isAsked && <p role="status">The model is drafting…</p>}
          {isFaulty && <p>First put right what is wrong with your changes.</p>}
        </div>
      </form>
      {problem && <Problem>{problem}</Problem>}
      {drafted && <Draft key={drafted.summary} drafted={drafted} />}
    </>
  );
}

/** The draft's changes part by part, each to accept or leave. */
function Draft({ drafted }: { readonly drafted: DraftedAgent }) {
  const { draft, set } = useEditor();
  const [left, setLeft] = useState<ReadonlySet<DraftPart>>(new Set());
  const [isAccepted, setAccepted] = useState(false);
  if (isAccepted) return <Success>Accepted, and not saved yet: look at it, then save.</Success>;
  const accept = (): void => {
    const wanted = drafted.parts.filter(({ part }) => !left.has(part));
    const after = wanted.reduce<Json>((settings, { patch }) => mergePatch(settings, patch), draft);
    for (const field of new Set(wanted.flatMap(({ patch }) => Object.keys(patch)))) set(field, after[field]);
    setAccepted(true);
  };
  const choose = (part: DraftPart, isWanted: boolean): void =>
    setLeft((now) => new Set(isWanted ? [...now].filter((one) => one !== part) : [...now, part]));
  const hasLeft = left.size > 0;
  return (
    <section className="stack" aria-label="Draft">
      <p role="status">{drafted.summary}</p>
      {drafted.wasRepaired && (
        <p className="pf-muted">The model’s first draft had faults, and it was asked to mend them.</p>
      )}
      {drafted.parts.map(({ part, patch, alone }) => (
        <section key={part} aria-label={PART_NAMES[part]} className="stack">
          <label className="row">
            <input
              type="checkbox"
              checked={!left.has(part)}
              onChange={(event) => choose(part, event.target.checked)}
            />
            <strong>{PART_NAMES[part]}</strong>
          </label>
          {alone !== null && hasLeft && <p className="pf-muted">Not without the others: {alone}</p>}
          <ChangeList
            changes={changesBetween(draft, mergePatch(draft, patch))}
            before="As it is"
            after="Drafted"
          />
        </section>
      ))}
      <div className="row">
        <button
          type="button"
          className="pf-btn pf-btn-primary"
          disabled={left.size === drafted.parts.length}
          onClick={accept}
        >
          Accept selected
        </button>
      </div>
    </section>
  );
}
