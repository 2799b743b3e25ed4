import type { ApiKey } from "@parley/shared/contracts/api-keys.ts";
import { ROLES } from "@parley/shared/contracts/roles.ts";
import { useState } from "react";
import { useData } from "../../api/use-data.ts";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, SelectField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { SecretText } from "../../ui/secret-text.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { Time } from "../../ui/time.tsx";
import { textOf } from "../../ui/use-submit.ts";

type Open =
  | { readonly at: "none" }
  | { readonly at: "create" }
  | { readonly at: "revoke"; readonly key: ApiKey };

/** The organization's API keys: made with a secret that is shown once, and revoked. */
export function KeysPage() {
  const session = useSession();
  const here = useHere();
  const orgId = here.org.id;
  const path = `/api/orgs/${orgId}/api-keys`;
  const loaded = useData(path, () => session.call<{ apiKeys: ApiKey[] }>(path, { method: "GET", orgId }), {
    isList: true,
  });
  const { reload } = loaded;
  const [open, setOpen] = useState<Open>({ at: "none" });
  const close = (): void => setOpen({ at: "none" });
  const mayRevoke = here.org.role === "owner" || here.org.role === "admin";
  const mayCreate = can(here, "manage_api_keys");
  return (
    <AppPage title="API keys">
      <div className="row row-spread">
        <p className="pf-muted">
          For your servers. A key never belongs in a browser or an app: mint a client token there.
        </p>
        {mayCreate ? (
          <button type="button" className="pf-btn pf-btn-primary" onClick={() => setOpen({ at: "create" })}>
            Create a key
          </button>
        ) : (
          <p>Owners, admins and developers make keys. Your role here is {here.org.role}.</p>
        )}
      </div>
      <Loaded of={loaded}>
        {({ apiKeys }) => (
          <KeyTable
            keys={apiKeys}
            onRevoke={mayRevoke ? (key) => setOpen({ at: "revoke", key }) : undefined}
          />
        )}
      </Loaded>
      {open.at === "create" && <CreateKey path={path} onClose={close} onCreated={reload} />}
      {open.at === "revoke" && <RevokeKey path={path} apiKey={open.key} onClose={close} onRevoked={reload} />}
    </AppPage>
  );
}

function KeyTable({
  keys,
  onRevoke,
}: {
  keys: readonly ApiKey[];
  onRevoke: ((key: ApiKey) => void) | undefined;
}) {
  if (keys.length === 0)
    return <p className="pf-card panel">No API keys yet. Create one to call Parley from your server.</p>;
  return (
    <TablePanel label="API keys">
      <table className="pf-table">
        <TableHead columns={["Name", "Role", "Ends in", "Created", "Last used"]} withActions />
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">{key.name}</th>
              <td>{key.role}</td>
              <td>
                <code>…{key.last_four}</code>
              </td>
              <td>
                <Time at={key.created_at} />
              </td>
              <td>{key.last_used_at ? <Time at={key.last_used_at} /> : "never"}</td>
              <td>
                {key.revoked_at ? (
                  <span className="pf-badge">revoked</span>
                ) : (
                  onRevoke && (
                    <button type="button" className="pf-btn" onClick={() => onRevoke(key)}>
                      Revoke<span className="only-heard"> {key.name}</span>
                    </button>
                  )
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  );
}

function CreateKey({
  path,
  onClose,
  onCreated,
}: {
  path: string;
  onClose: () => void;
  onCreated: () => Promise<void>;
}) {
  const session = useSession();
  const { org } = useHere();
  const [secret, setSecret] = useState<string>();
  const create = async (fields: FormData): Promise<void> => {
    const body = { name: textOf(fields, "name"), role: textOf(fields, "role") };
    const made = await session.call<{ secret: string }>(path, { orgId: org.id, body });
    setSecret(made.secret);
    await onCreated();
  };
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
    <FormDialog title="Create a key" does="Create" onSubmit={create} onClose={onClose}>
      <Field
        label="Name"
        name="name"
        maxLength={128}
        autoComplete="off"
        hint="What it is for, such as the server it runs on."
        required
      />
      <SelectField
        label="Role"
        name="role"
        options={ROLES.slice(ROLES.indexOf(org.role))}
        defaultValue="developer"
        hint="member and viewer keys only read, and chat."
      />
    </FormDialog>
  );
}

interface RevokeKeyProps {
  readonly path: string;
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onRevoked: () => Promise<void>;
}

function RevokeKey({ path, apiKey, onClose, onRevoked }: RevokeKeyProps) {
  const session = useSession();
  const { org } = useHere();
  const revoke = async (): Promise<void> => {
    await session.call(`${path}/${apiKey.id}`, { method: "DELETE", orgId: org.id });
    await onRevoked();
    onClose();
  };
  return (
    <FormDialog title={`Revoke ${apiKey.name}?`} does="Revoke" isDanger onSubmit={revoke} onClose={onClose}>
      <p>
        Whatever uses the key that ends in {apiKey.last_four} stops working at once. This cannot be undone.
      </p>
    </FormDialog>
  );
}
