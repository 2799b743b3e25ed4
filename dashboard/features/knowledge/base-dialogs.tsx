import type { KnowledgeBase } from "@parley/shared/contracts/knowledge.ts";
import { useId } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { LANGUAGE_NAMES } from "./knowledge-labels.ts";
import { knowledgePath } from "./use-knowledge.ts";

interface NewBaseDialogProps {
  readonly onClose: () => void;
  readonly onMade: (base: KnowledgeBase) => void;
}

export function NewBaseDialog({ onClose, onMade }: NewBaseDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const languageId = useId();
  const make = async (fields: FormData): Promise<void> => {
    const body = {
      name: textOf(fields, "name"),
      description: textOf(fields, "description"),
      language: textOf(fields, "language"),
    };
    onMade(await session.call<KnowledgeBase>(knowledgePath(org.id), { orgId: org.id, body }));
  };
  return (
    <FormDialog title="New knowledge base" does="Create" onSubmit={make} onClose={onClose}>
      <Field label="Name" name="name" maxLength={128} autoComplete="off" required />
      <Field label="What is in it (optional)" name="description" maxLength={1_000} autoComplete="off" />
      <div className="field">
        <label htmlFor={languageId}>Language of the documents</label>
        <select
          id={languageId}
          name="language"
          className="pf-input"
          defaultValue="en"
          aria-describedby={`${languageId}-hint`}
        >
          {Object.entries(LANGUAGE_NAMES).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
        <p id={`${languageId}-hint`} className="pf-muted field-hint">
          Words are found in all their forms. It cannot be changed later.
        </p>
      </div>
    </FormDialog>
  );
}

interface BaseDialogProps {
  readonly base: KnowledgeBase;
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}

export function EditBaseDialog({ base, onClose, onDone }: BaseDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const save = async (fields: FormData): Promise<void> => {
    const body = { name: textOf(fields, "name"), description: textOf(fields, "description") };
    await session.call(`${knowledgePath(org.id)}/${base.id}`, { method: "PATCH", orgId: org.id, body });
    onClose();
    await onDone("Saved.");
  };
  return (
    <FormDialog title="Name and description" does="Save" onSubmit={save} onClose={onClose}>
      <Field label="Name" name="name" maxLength={128} autoComplete="off" defaultValue={base.name} required />
      <Field
        label="What is in it (optional)"
        name="description"
        maxLength={1_000}
        autoComplete="off"
        defaultValue={base.description}
      />
    </FormDialog>
  );
}

export function DeleteBaseDialog({ base, onClose, onDone }: BaseDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const remove = async (): Promise<void> => {
    await session.call(`${knowledgePath(org.id)}/${base.id}`, { method: "DELETE", orgId: org.id });
    await onDone(`${base.name} is deleted.`);
  };
  return (
    <FormDialog title={`Delete ${base.name}?`} does="Delete" isDanger onSubmit={remove} onClose={onClose}>
      <p>Its documents are deleted with it. This cannot be undone.</p>
    </FormDialog>
  );
}
