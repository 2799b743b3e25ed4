import type {
  ConnectionResult,
  ConnectionUse,
  IntegrationProvider,
  OrgConnection,
  UpdateConnection,
} from "@parley/shared/contracts/integrations.ts";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Problem } from "../../ui/messages.tsx";
import { useFieldFaults } from "../../ui/use-field-faults.ts";
import { textOf } from "../../ui/use-submit.ts";
import { CredentialFields, enteredValues, fieldNames, SettingFields } from "./account-fields.tsx";
import { integrationsPath } from "./integrations-api.ts";
import { AgentLink } from "./used-by.tsx";

interface ConnectionDialogProps {
  readonly connection: OrgConnection;
  readonly provider: IntegrationProvider;
  readonly onClose: () => void;
  /** Receives a sentence about what was done. */
  readonly onDone: (said: string) => Promise<void>;
}

/** Updates one connection; the vendor is asked again where the body says so. */
function useChange({ id }: OrgConnection): (body: Partial<UpdateConnection>) => Promise<ConnectionResult> {
  const session = useSession();
  const { org } = useHere();
  const path = `${integrationsPath(org.id)}/connections/${id}`;
  return (body) => session.call<ConnectionResult>(path, { method: "PATCH", orgId: org.id, body });
}

/** Edits the name and the settings besides credentials. */
export function EditConnectionDialog({ connection, provider, onClose, onDone }: ConnectionDialogProps) {
  const change = useChange(connection);
  const { settings } = provider.connect;
  const { faults, attempt } = useFieldFaults(fieldNames(provider.connect));
  const save = (fields: FormData): Promise<void> =>
    attempt(async () => {
      const entered = enteredValues(fields, "settings", { withEmpty: true });
      const isSame = settings.every(({ key }) => (entered[key] ?? "") === (connection.settings[key] ?? ""));
      const label = textOf(fields, "label");
      // Renaming needs no check with the vendor.
      const saved = await change(isSame ? { label, verify: false } : { label, settings: entered });
      onClose();
      await onDone(savedText(saved));
    });
  return (
    <FormDialog
      title={`Edit ${connection.label}`}
      does="Save"
      onSubmit={save}
      onClose={onClose}
      {...(settings.some(({ multiline }) => multiline) ? { size: "wide" } : {})}
    >
      <Field
        label="Name"
        name="label"
        maxLength={120}
        placeholder={provider.name}
        autoComplete="off"
        defaultValue={connection.label}
        fault={faults.label}
      />
      <SettingFields settings={settings} faults={faults} stored={connection.settings} />
      {faults.credentials && <Problem>{faults.credentials}</Problem>}
    </FormDialog>
  );
}

/** Replaces the stored credentials. */
export function CredentialsDialog({ connection, provider, onClose, onDone }: ConnectionDialogProps) {
  const change = useChange(connection);
  const { faults, attempt } = useFieldFaults(fieldNames(provider.connect));
  const save = (fields: FormData): Promise<void> =>
    attempt(async () => {
      const saved = await change({ credentials: changedCredentials(fields, connection, provider) });
      onClose();
      await onDone(savedText(saved));
    });
  return (
    <FormDialog title="Replace credentials" does="Replace and test" onSubmit={save} onClose={onClose}>
      <p className="pf-muted">Agents go on with the new ones from their next request.</p>
      <CredentialFields connect={provider.connect} faults={faults} stored={connection.credentials} />
    </FormDialog>
  );
}

/** Deletes a connection; lists its users, with links to them. */
export function DeleteConnectionDialog({
  connection,
  onClose,
  onDone,
}: Omit<ConnectionDialogProps, "provider">) {
  const session = useSession();
  const { org } = useHere();
  const pinned = connection.usedBy.filter(({ isPinned }) => isPinned);
  const [refusedFor, setRefusedFor] = useState<readonly Omit<ConnectionUse, "isPinned">[]>([]);
  const users = refusedFor.length > 0 ? refusedFor : pinned;
  const others = connection.usedBy.filter(({ isPinned }) => !isPinned);
  const remove = async (): Promise<void> => {
    const path = `${integrationsPath(org.id)}/connections/${connection.id}`;
    try {
      await session.call(path, { method: "DELETE", orgId: org.id });
    } catch (error) {
      if (error instanceof ApiError && Array.isArray(error.details.usedBy))
        setRefusedFor(error.details.usedBy as ConnectionUse[]);
      throw error;
    }
    await onDone(`${connection.label} deleted.`);
  };
  return (
    <FormDialog
      title={`Delete ${connection.label}?`}
      does="Delete"
      isDanger
      isReady={users.length === 0}
      onSubmit={remove}
      onClose={onClose}
    >
      {users.length > 0 ? (
        <>
          <p>These agents need this connection. Choose another one there, or remove the tool, first:</p>
          <ul className="capability-list">
            {users.map((agent) => (
              <li key={agent.agentId}>
                <AgentLink agent={agent} />
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>
          The stored credentials are deleted. This can’t be undone.
          {others.length > 0 &&
            ` ${others.map(({ name }) => name).join(", ")} will use another connection that can do the same.`}
        </p>
      )}
    </FormDialog>
  );
}

/** An empty secret is kept; any other emptied field is removed. */
function changedCredentials(
  fields: FormData,
  { credentials: stored }: OrgConnection,
  { connect }: IntegrationProvider,
): Readonly<Record<string, string>> {
  const entered = enteredValues(fields, "credentials", { withEmpty: true });
  const isEmptied = (key: string): boolean =>
    stored[key] !== undefined && connect.credentials.find((field) => field.key === key)?.secret === false;
  return Object.fromEntries(Object.entries(entered).filter(([key, value]) => value !== "" || isEmptied(key)));
}

function savedText({ connection: { label }, verification }: ConnectionResult): string {
  if (verification?.ok === false) return `${label} saved, but it doesn’t work yet.`;
  return `${label} saved.`;
}
