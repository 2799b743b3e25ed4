import type { Memory } from "@parley/shared/contracts/memory.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field, LongField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { AgentField } from "./agent-field.tsx";
import { memoryPath } from "./use-memory.ts";

interface DialogProps {
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}

const MAX_CHARS = 1_000;

export function AddMemoryDialog({
  agents,
  identifier,
  onClose,
  onDone,
}: DialogProps & { readonly agents: ReadonlyMap<string, string>; readonly identifier: string }) {
  const session = useSession();
  const { org } = useHere();
  const add = async (fields: FormData): Promise<void> => {
    const body = {
      identifier: textOf(fields, "identifier"),
      agentId: textOf(fields, "agentId"),
      text: textOf(fields, "text"),
    };
    await session.call(memoryPath(org.id), { orgId: org.id, body });
    onClose();
    await onDone("The note is added.");
  };
  return (
    <FormDialog title="Add a note" does="Add" onSubmit={add} onClose={onClose}>
      <Field
        label="Person"
        name="identifier"
        maxLength={128}
        defaultValue={identifier}
        autoComplete="off"
        hint="The identifier of their calls and chats, for example +15551234567."
        required
      />
      <AgentField label="Agent that remembers it" name="agentId" agents={agents} required />
      <LongField label="Note" name="text" rows={3} maxLength={MAX_CHARS} required />
    </FormDialog>
  );
}

export function CorrectDialog({ memory, onClose, onDone }: DialogProps & { readonly memory: Memory }) {
  const session = useSession();
  const { org } = useHere();
  const correct = async (fields: FormData): Promise<void> => {
    const body = { text: textOf(fields, "text") };
    await session.call(`${memoryPath(org.id)}/${memory.id}`, { method: "PATCH", orgId: org.id, body });
    onClose();
    await onDone("It is corrected. Later calls leave it as it is.");
  };
  return (
    <FormDialog title="Correct what is remembered" does="Save" onSubmit={correct} onClose={onClose}>
      <LongField
        label="What is remembered"
        name="text"
        rows={3}
        maxLength={MAX_CHARS}
        defaultValue={memory.text}
        required
      />
    </FormDialog>
  );
}

export function DeleteDialog({ memory, onClose, onDone }: DialogProps & { readonly memory: Memory }) {
  const session = useSession();
  const { org } = useHere();
  const remove = async (): Promise<void> => {
    await session.call(`${memoryPath(org.id)}/${memory.id}`, { method: "DELETE", orgId: org.id });
    onClose();
    await onDone("It is deleted.");
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
    await onDone(`${identifier} is forgotten.`);
  };
  return (
    <FormDialog title={`Forget ${identifier}?`} does="Forget" isDanger onSubmit={forget} onClose={onClose}>
      <p>All that any agent remembers of them is deleted. Their calls stay. This cannot be undone.</p>
    </FormDialog>
  );
}
