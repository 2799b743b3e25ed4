import type { ApiKey } from "@parley/shared/contracts/api-keys.ts";
import { ROLES } from "@parley/shared/contracts/roles.ts";
import { useState } from "react";
import { useData } from "../../api/use-data.ts";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, SelectField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SecretText } from "../../ui/secret-text.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.ts";
import { textOf } from "../../ui/use-submit.ts";

type Open =
  | { readonly at: "none" }
  | { readonly at: "create" }
  | { readonly at: "revoke"; readonly key: ApiKey };

const KEY_COLUMNS: readonly Column<ApiKey>[] = [
  { id: "name", name: "Name", sorts: true, look: "long", text: ({ name }) => name, cell: ({ name }) => name },
  { id: "role", name: "Role", sorts: true, text: ({ role }) => role, cell: ({ role }) => role },
  {
    id: "ends",
    name: "Ends in",
    text: ({ last_four }) => last_four,
    cell: ({ last_four }) => <code>…{last_four}</code>,
  },
  {
    id: "created",
    name: "Created",
    sorts: true,
    text: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    id: "used",
    name: "Last used",
    sorts: true,
    text: ({ last_used_at }) => last_used_at ?? "",
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : "never"),
  },
];

/** The organization's API keys: created with a secret shown once, and revoked. */
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
        <p className="pf-muted">Use keys on your server only. In browsers and apps use client tokens.</p>
        {mayCreate ? (
          <button type="button" className="pf-btn pf-btn-primary" onClick={() => setOpen({ at: "create" })}>
            Create API key
          </button>
        ) : (
          <p>Owners, admins and developers can create keys. Your role is {here.org.role}.</p>
        )}
      </div>
      <DataTable
        name="api-keys"
        label="API keys"
        columns={KEY_COLUMNS}
        rows={loaded.data?.apiKeys}
        of={loaded}
        rowId={({ id }) => id}
        empty={<p>No API keys yet. Create one to call Parley from your server.</p>}
        actions={(key) =>
          key.revoked_at ? (
            <span className="pf-badge">revoked</span>
          ) : (
            mayRevoke && (
              <button type="button" className="pf-btn" onClick={() => setOpen({ at: "revoke", key })}>
                Revoke<span className="only-heard"> {key.name}</span>
              </button>
            )
          )
        }
      />
      {open.at === "create" && <CreateKey path={path} onClose={close} onCreated={reload} />}
      {open.at === "revoke" && <RevokeKey path={path} apiKey={open.key} onClose={close} onRevoked={reload} />}
    </AppPage>
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
    <FormDialog title="Create API key" does="Create" onSubmit={create} onClose={onClose}>
      <Field
        label="Name"
        name="name"
        maxLength={128}
        autoComplete="off"
        hint="What the key is for, such as the server that uses it."
        required
      />
      <SelectField
        label="Role"
        name="role"
        options={ROLES.slice(ROLES.indexOf(org.role))}
        defaultValue="developer"
        hint="Member and viewer keys can only read, and chat."
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
    toast(`${apiKey.name} revoked.`);
    await onRevoked();
    onClose();
  };
  return (
    <FormDialog title={`Revoke ${apiKey.name}?`} does="Revoke" isDanger onSubmit={revoke} onClose={onClose}>
      <p>Requests with the key that ends in {apiKey.last_four} fail immediately. This can’t be undone.</p>
    </FormDialog>
  );
}
