import { Check, ChevronsUpDown, Plus } from "lucide-react";
import { useState } from "react";
import { useHere } from "../api/use-session.ts";
import { useSoftphone } from "../features/softphone/softphone-context.ts";
import { isBusy } from "../features/softphone/softphone-view.ts";
import { later } from "../ui/later.ts";
import { Menu, MenuChoice, MenuItem, MenuOption } from "../ui/menu.tsx";

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
        <MenuChoice label="Organizations" chosen={org.id} onChoose={onShow}>
          {me.organizations.map(({ id, name }) => (
            <MenuOption
              key={id}
              value={id}
              text={name}
              refusal={inCall && id !== org.id ? "You are in a call" : undefined}
            >
              <Initial name={name} />
              <span className="menu-name">{name}</span>
              {id === org.id && <Check aria-hidden="true" className="icon" />}
            </MenuOption>
          ))}
        </MenuChoice>
        <MenuItem isDisabled={inCall} onSelect={() => setCreating(true)}>
          <Plus aria-hidden="true" className="icon" />
          <span>Create organization</span>
        </MenuItem>
      </Menu>
      {isCreating && <CreateOrganization onClose={() => setCreating(false)} onShow={onShow} />}
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
