import {
  createKnowledgeBaseSchema,
  type KnowledgeBase,
  updateKnowledgeBaseSchema,
} from "@parley/shared/contracts/knowledge.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { LANGUAGE_NAMES } from "./knowledge-labels.ts";
import { knowledgePath } from "./use-knowledge.ts";

interface NewBaseDialogProps {
  readonly onClose: () => void;
  readonly onMade: (base: KnowledgeBase) => void;
}

export function NewBaseDialog({ onClose, onMade }: NewBaseDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: createKnowledgeBaseSchema,
    values: { name: "", description: "", language: "en" },
    send: async (body) =>
      onMade(await session.call<KnowledgeBase>(knowledgePath(org.id), { orgId: org.id, body })),
  });
  return (
    <SchemaDialog title="Create knowledge base" does="Create knowledge base" form={form} onClose={onClose}>
      <Field {...form.field("name", "Name")} autoComplete="off" required />
      <Field {...form.field("description", "Description (optional)")} autoComplete="off" />
      <ChoiceField
        {...form.field("language", "Language of the documents")}
        hint="Search finds every form of a word in it. You can’t change it later."
      >
        {Object.entries(LANGUAGE_NAMES).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </ChoiceField>
    </SchemaDialog>
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
  const { name, description } = base;
  const form = useSchemaForm({
    schema: updateKnowledgeBaseSchema,
    values: { name, description },
    send: async (body) => {
      await session.call(`${knowledgePath(org.id)}/${base.id}`, { method: "PATCH", orgId: org.id, body });
      onClose();
      await onDone("Saved.");
    },
  });
  return (
    <SchemaDialog title="Name and description" does="Save" form={form} onClose={onClose}>
      <Field {...form.field("name", "Name")} autoComplete="off" required />
      <Field {...form.field("description", "Description (optional)")} autoComplete="off" />
    </SchemaDialog>
  );
}

export function DeleteBaseDialog({ base, onClose, onDone }: BaseDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const remove = async (): Promise<void> => {
    await session.call(`${knowledgePath(org.id)}/${base.id}`, { method: "DELETE", orgId: org.id });
    await onDone(`${base.name} deleted.`);
  };
  return (
    <FormDialog title={`Delete ${base.name}?`} does="Delete" isDanger onSubmit={remove} onClose={onClose}>
      <p>Its documents are deleted with it. This cannot be undone.</p>
    </FormDialog>
  );
}
