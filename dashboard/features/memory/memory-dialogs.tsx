import { addMemorySchema, correctMemorySchema, type Memory } from "@parley/shared/contracts/memory.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field, LongField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { AgentField } from "./agent-field.tsx";
import { memoryPath } from "./use-memory.ts";

interface DialogProps {
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}

export function AddMemoryDialog({
  agents,
  identifier,
  onClose,
  onDone,
}: DialogProps & { readonly agents: ReadonlyMap<string, string>; readonly identifier: string }) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: addMemorySchema,
    values: { identifier, agentId: [...agents.keys()][0] ?? "", text: "" },
    send: async (body) => {
      await session.call(memoryPath(org.id), { orgId: org.id, body });
      onClose();
      await onDone("Note added.");
    },
  });
  return (
    <SchemaDialog title="Add note" does="Add note" form={form} onClose={onClose}>
      <Field
        {...form.field("identifier", "Person")}
        autoComplete="off"
        hint="The identifier of their calls and chats, for example +15551234567."
        required
      />
      <AgentField {...form.field("agentId", "Agent that remembers it")} agents={agents} required />
      <LongField {...form.field("text", "Note")} rows={3} required />
    </SchemaDialog>
  );
}

export function CorrectDialog({ memory, onClose, onDone }: DialogProps & { readonly memory: Memory }) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: correctMemorySchema,
    values: { text: memory.text },
    send: async (body) => {
      await session.call(`${memoryPath(org.id)}/${memory.id}`, { method: "PATCH", orgId: org.id, body });
      onClose();
      await onDone("Memory corrected. Later calls won’t change it.");
    },
  });
  return (
    <SchemaDialog title="Correct what is remembered" does="Save" form={form} onClose={onClose}>
      <LongField {...form.field("text", "What is remembered")} rows={3} required />
    </SchemaDialog>
  );
}

export function DeleteDialog({ memory, onClose, onDone }: DialogProps & { readonly memory: Memory }) {
  const session = useSession();
  const { org } = useHere();
  const remove = async (): Promise<void> => {
    await session.call(`${memoryPath(org.id)}/${memory.id}`, { method: "DELETE", orgId: org.id });
    onClose();
    await onDone("Memory deleted.");
  };
  return (
    <FormDialog title="Delete this memory?" does="Delete" isDanger onSubmit={remove} onClose={onClose}>
      <p>{memory.text}</p>
    </FormDialog>
  );
}

export function ForgetDialog({ identifier, onClose, onDone }: DialogProps & { readonly identifier: string }) {
  const session = useSession();
  const { org } = useHere();
  const forget = async (): Promise<void> => {
    const path = `${memoryPath(org.id)}?${new URLSearchParams({ identifier })}`;
    await session.call(path, { method: "DELETE", orgId: org.id });
    onClose();
    await onDone(`${phoneText(identifier)} forgotten.`);
  };
  return (
    <FormDialog
      title={`Forget ${phoneText(identifier)}?`}
      does="Forget"
      isDanger
      onSubmit={forget}
      onClose={onClose}
    >
      <p>All that any agent remembers of them is deleted. Their calls stay. This cannot be undone.</p>
    </FormDialog>
  );
}
