import { useHere, useSession } from "../api/use-session.ts";
import { Field } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { textOf } from "../ui/use-submit.ts";

interface CreateProps {
  readonly onClose: () => void;
  readonly onShow: (id: string) => void;
}

/** Asks for a name and shows the new organization. */
export function CreateOrganization({ onClose, onShow }: CreateProps) {
  const session = useSession();
  const { reloadMe } = useHere();
  return (
    <FormDialog
      title="Create organization"
      does="Create"
      onClose={onClose}
      onSubmit={async (fields) => {
        const body = { name: textOf(fields, "name") };
        const { id } = await session.call<{ id: string }>("/api/orgs", { body });
        await reloadMe();
        onShow(id);
        onClose();
      }}
    >
      <p>It has agents, numbers, calls and members of its own.</p>
      <Field label="Name" name="name" maxLength={128} autoComplete="organization" required />
    </FormDialog>
  );
}
