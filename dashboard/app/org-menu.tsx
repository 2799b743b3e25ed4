import { Check, ChevronsUpDown, Plus } from "lucide-react";
import { Suspense, useState } from "react";
import { useHere } from "../api/use-session.ts";
import { useSoftphone } from "../features/softphone/softphone-context.ts";
import { isBusy } from "../features/softphone/softphone-view.ts";
import { later } from "../ui/later.ts";
import { Menu } from "../ui/menu.tsx";

const CreateOrganization = later(async () => (await import("./create-organization.tsx")).CreateOrganization);

/** Switches the shown organization. A call belongs to its organization, so switching is blocked during a call. */
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
      {isCreating && (
        <Suspense>
          <CreateOrganization onClose={() => setCreating(false)} onShow={onShow} />
        </Suspense>
      )}
    </>
  );
}

/** A letter instead of a picture. */
export function Initial({ name }: { readonly name: string }) {
  return (
    <span className="initial" aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? "?"}
    </span>
  );
}
