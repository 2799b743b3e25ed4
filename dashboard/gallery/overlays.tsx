import { type ReactNode, useEffect } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { Field, SelectField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { LongChoices } from "../ui/long-choices.tsx";
import { Menu, MenuCheck, MenuChoice, MenuGroup, MenuItem, MenuLink, MenuOption } from "../ui/menu.tsx";
import { Popover } from "../ui/popover.tsx";
import { SecretText } from "../ui/secret-text.tsx";
import { Tips } from "../ui/tips.tsx";
import { toast, toastProblem } from "../ui/toast.ts";
import { Specimen } from "./specimen.tsx";

const AGENTS = Array.from({ length: 12 }, (_, at) => `Desk ${at + 1}`);
const nothing = (): void => undefined;
const done = async (): Promise<void> => undefined;

/** A success and a failure, as they stand above any page. */
function Toasts() {
  useEffect(() => {
    toast("Server revoked.");
    toastProblem("The server cannot be reached. Try again.");
  }, []);
  return null;
}

/** Each opens over the page, so that one is shown at a time. */
const OVERLAYS: Readonly<Record<string, ReactNode>> = {
  dialog: (
    <Dialog title="Copy your API key" isKept onClose={nothing}>
      <p>You won’t see it again.</p>
      <SecretText label="API key" text="parley_live_0123456789" />
    </Dialog>
  ),
  "wide-dialog": (
    <Dialog title="A delivery" size="wide" onClose={nothing}>
      <p>Status 200</p>
    </Dialog>
  ),
  form: (
    <FormDialog title="Create API key" does="Create" onSubmit={done} onClose={nothing}>
      <Field label="Name" name="name" required />
    </FormDialog>
  ),
  "form-refused": (
    <FormDialog
      title="Create API key"
      does="Create"
      onSubmit={done}
      onClose={nothing}
      problem="The name is already in use."
    >
      <Field label="Name" name="name" fault="Is taken." />
    </FormDialog>
  ),
  // The focus shows it.
  tip: (
    <>
      <Tips />
      <button type="button" className="pf-btn" data-tip="Nov 27, 2026, 9:32:52 PM">
        Yesterday
      </button>
    </>
  ),
  // Its field opens it.
  "long-choice": (
    <>
      <LongChoices />
      <SelectField label="Agent" name="agent" options={AGENTS} />
    </>
  ),
  // Its button opens it.
  menu: (
    <Menu label="Organization: Museum" button="Museum">
      <MenuGroup
        name={
          <>
            <strong>Museum</strong>
            <span className="pf-muted">owner</span>
          </>
        }
      >
        <MenuChoice label="Organizations" chosen="1" onChoose={nothing}>
          <MenuOption value="1">Museum</MenuOption>
          <MenuOption value="2" refusal="You are in a call">
            Ticket office
          </MenuOption>
        </MenuChoice>
        <MenuCheck isOn onChange={nothing}>
          Duration
        </MenuCheck>
        <MenuCheck isOn={false} onChange={nothing}>
          Agent
        </MenuCheck>
        <MenuLink render={<a href="#security" />}>Security</MenuLink>
      </MenuGroup>
      <MenuItem isDisabled onSelect={nothing}>
        Create organization
      </MenuItem>
    </Menu>
  ),
  // As does its own.
  popover: (
    <Popover label="Notifications" button="2">
      <p className="menu-about">
        <strong>Notifications</strong>
      </p>
      <ul className="menu-list">
        <li>
          <a href="#webhook" className="menu-item notice">
            A webhook fails
          </a>
        </li>
      </ul>
    </Popover>
  ),
  toasts: <Toasts />,
  "form-danger": (
    <FormDialog title="Revoke server?" does="Revoke" isDanger onSubmit={done} onClose={nothing}>
      <p>This can’t be undone.</p>
    </FormDialog>
  ),
};

export function OverlaySpecimen({ name }: { readonly name: string }) {
  const shown = OVERLAYS[name];
  if (shown === undefined) return <p>{`There is: ${Object.keys(OVERLAYS).join(", ")}.`}</p>;
  return <Specimen name={name}>{shown}</Specimen>;
}
