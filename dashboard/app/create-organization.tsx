import { createOrgSchema } from "@parley/shared/contracts/organizations.ts";
import { useHere, useSession } from "../api/use-session.ts";
import { Field } from "../ui/field.tsx";
import { SchemaDialog } from "../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../ui/schema-form/use-schema-form.ts";

interface CreateProps {
  readonly onClose: () => void;
  readonly onShow: (id: string) => void;
}

/** Asks for a name and shows the new organization. */
export function CreateOrganization({ onClose, onShow }: CreateProps) {
  const session = useSession();
  const { reloadMe } = useHere();
  const form = useSchemaForm({
    schema: createOrgSchema,
    values: { name: "" },
    send: async (body) => {
      const { id } = await session.call<{ id: string }>("/api/orgs", { body });
      await reloadMe();
      onShow(id);
      onClose();
    },
  });
  return (
    <SchemaDialog title="Create organization" does="Create organization" form={form} onClose={onClose}>
      <p>It has agents, numbers, calls and members of its own.</p>
      <Field {...form.field("name", "Name")} autoComplete="organization" required />
    </SchemaDialog>
  );
}
