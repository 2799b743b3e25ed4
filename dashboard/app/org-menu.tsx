import { Check, ChevronsUpDown, Plus } from "lucide-react";
import { useState } from "react";
import { useHere, useSession } from "../api/use-session.ts";
import { useSoftphone } from "../features/softphone/softphone-context.ts";
import { isBusy } from "../features/softphone/softphone-view.ts";
import { Field } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Menu } from "../ui/menu.tsx";
import { textOf } from "../ui/use-submit.ts";

/** Which organization is shown. A call belongs to its organization: nobody leaves that in mid-call by a slip. */
export function OrgMenu({ onShow }: { readonly onShow: (id: string) => void }) {
  const { me, org } = useHere();
  const inCall = isBusy(useSoftphone().view);
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Menu
        label={`Organization: ${org.name}`}
        className="org-menu"
        button={
          <>
            <Initial name={org.name} />
            <span className="menu-name">{org.name}</span>
            <ChevronsUpDown aria-hidden="true" className="icon" />
          </>
        }
      >
        <ul className="menu-list" aria-label="Organizations">
          {me.organizations.map(({ id, name }) => (
            <li key={id}>
              <button
                type="button"
                data-closes
                className="menu-item"
                aria-current={id === org.id ? "true" : undefined}
                disabled={inCall && id !== org.id}
                title={inCall ? "You are in a call" : undefined}
                onClick={() => onShow(id)}
              >
                <Initial name={name} />
                <span className="menu-name">{name}</span>
                {id === org.id && <Check aria-hidden="true" className="icon" />}
              </button>
            </li>
          ))}
        </ul>
        <button
          type="button"
          data-closes
          className="menu-item"
          disabled={inCall}
          onClick={() => setCreating(true)}
        >
          <Plus aria-hidden="true" className="icon" /> Create organization
        </button>
      </Menu>
      {isCreating && <CreateOrganization onClose={() => setCreating(false)} onShow={onShow} />}
    </>
  );
}

/** A letter in the place of a picture. */
export function Initial({ name }: { readonly name: string }) {
  return (
    <span className="initial" aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? "?"}
    </span>
  );
}

interface CreateProps {
  readonly onClose: () => void;
  readonly onShow: (id: string) => void;
}

function CreateOrganization({ onClose, onShow }: CreateProps) {
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
