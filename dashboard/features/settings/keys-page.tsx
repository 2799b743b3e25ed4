import type { ApiKey } from "@parley/shared/contracts/api-keys.ts";
import { useState } from "react";
import { useData } from "../../api/use-data.ts";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { later } from "../../ui/later.ts";
import { roleText } from "../../ui/role-text.ts";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.ts";

type Open =
  | { readonly at: "none" }
  | { readonly at: "create" }
  | { readonly at: "revoke"; readonly key: ApiKey };

const CreateKeyDialog = later(async () => (await import("./create-key-dialog.tsx")).CreateKeyDialog);

const KEY_COLUMNS: readonly Column<ApiKey>[] = [
  { id: "name", name: "Name", sorts: true, look: "long", text: ({ name }) => name, cell: ({ name }) => name },
  {
    id: "role",
    name: "Role",
    sorts: true,
    text: ({ role }) => roleText(role),
    cell: ({ role }) => roleText(role),
  },
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
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : "Never"),
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
            <span className="pf-badge">Revoked</span>
          ) : (
            mayRevoke && (
              <button type="button" className="pf-btn" onClick={() => setOpen({ at: "revoke", key })}>
                Revoke<span className="only-heard"> {key.name}</span>
              </button>
            )
          )
        }
      />
      {open.at === "create" && <CreateKeyDialog path={path} onClose={close} onCreated={reload} />}
      {open.at === "revoke" && <RevokeKey path={path} apiKey={open.key} onClose={close} onRevoked={reload} />}
    </AppPage>
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
