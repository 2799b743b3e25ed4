import { createKeySchema } from "@parley/shared/contracts/api-keys.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { SecretText } from "../../ui/secret-text.tsx";
import { RoleField } from "./role-field.tsx";

interface CreateKeyDialogProps {
  readonly path: string;
  readonly onClose: () => void;
  readonly onCreated: () => Promise<void>;
}

/** Creates an API key, then shows its secret once. */
export function CreateKeyDialog({ path, onClose, onCreated }: CreateKeyDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const [secret, setSecret] = useState<string>();
  const form = useSchemaForm({
    schema: createKeySchema,
    values: { name: "", role: "developer" },
    send: async (body) => {
      const made = await session.call<{ secret: string }>(path, { orgId: org.id, body });
      setSecret(made.secret);
      await onCreated();
    },
  });
  if (secret !== undefined) {
    return (
      <Dialog title="Copy your API key" isKept onClose={onClose}>
        <p>You won’t see it again. Anyone who has it can act for your organization.</p>
        <SecretText label="API key" text={secret} />
        <button type="button" className="pf-btn pf-btn-primary" onClick={onClose}>
          I’ve saved it
        </button>
      </Dialog>
    );
  }
  return (
    <SchemaDialog title="Create API key" does="Create API key" form={form} onClose={onClose}>
      <Field
        {...form.field("name", "Name")}
        autoComplete="off"
        hint="What the key is for, such as the server that uses it."
        required
      />
      <RoleField
        {...form.field("role", "Role")}
        highest={org.role}
        hint="Member and viewer keys can only read, and chat."
      />
    </SchemaDialog>
  );
}
