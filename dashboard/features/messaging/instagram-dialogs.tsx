import type { InstagramAccount } from "@parley/shared/contracts/instagram.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field, PasswordField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useFieldFaults } from "../../ui/use-field-faults.ts";
import { passwordOf, textOf } from "../../ui/use-submit.ts";
import { AnsweredBy } from "./channel-dialogs.tsx";
import { instagramPath } from "./instagram-path.ts";

interface DialogProps {
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}

export function ConnectAccountDialog({ onClose, onDone }: DialogProps) {
  const session = useSession();
  const { org } = useHere();
  const { faults, attempt } = useFieldFaults(["accessToken", "appSecret"]);
  const connect = (fields: FormData): Promise<void> =>
    attempt(async () => {
      const name = textOf(fields, "name");
      const body = {
        ...(name === "" ? {} : { name }),
        accessToken: passwordOf(fields, "accessToken").trim(),
        appSecret: passwordOf(fields, "appSecret").trim(),
        agentId: textOf(fields, "agentId") || null,
      };
      await session.call(instagramPath(org.id), { orgId: org.id, body });
      await onDone("Connected.");
    });
  return (
    <FormDialog title="Connect an Instagram account" does="Connect" onSubmit={connect} onClose={onClose}>
      <Field label="Name (optional)" name="name" maxLength={128} autoComplete="off" />
      <PasswordField
        label="Access token"
        name="accessToken"
        autoComplete="off"
        hint="It is encrypted and never shown again."
        fault={faults.accessToken}
        required
      />
      <PasswordField
        label="App secret"
        name="appSecret"
        autoComplete="off"
        hint="In your Meta app under Instagram → API setup."
        fault={faults.appSecret}
        required
      />
      <AnsweredBy />
    </FormDialog>
  );
}

interface AccountDialogProps extends DialogProps {
  readonly account: InstagramAccount;
}

export function EditAccountDialog({ account, onClose, onDone }: AccountDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const save = async (fields: FormData): Promise<void> => {
    const body = { name: textOf(fields, "name"), agentId: textOf(fields, "agentId") || null };
    await session.call(`${instagramPath(org.id)}/${account.id}`, { method: "PATCH", orgId: org.id, body });
    await onDone("Saved.");
  };
  return (
    <FormDialog title={`Edit ${account.name}`} does="Save" onSubmit={save} onClose={onClose}>
      <Field
        label="Name"
        name="name"
        maxLength={128}
        autoComplete="off"
        defaultValue={account.name}
        required
      />
      <AnsweredBy agentId={account.agentId} />
    </FormDialog>
  );
}

export function ReplaceTokenDialog({ account, onClose, onDone }: AccountDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const { faults, attempt } = useFieldFaults(["accessToken", "appSecret"]);
  const save = (fields: FormData): Promise<void> =>
    attempt(async () => {
      const accessToken = passwordOf(fields, "accessToken").trim();
      const appSecret = passwordOf(fields, "appSecret").trim();
      const body = { ...(accessToken ? { accessToken } : {}), ...(appSecret ? { appSecret } : {}) };
      const path = `${instagramPath(org.id)}/${account.id}/credentials`;
      await session.call(path, { method: "PUT", orgId: org.id, body });
      await onDone("Credentials replaced.");
    });
  return (
    <FormDialog title="Replace credentials" does="Replace" onSubmit={save} onClose={onClose}>
      <p>Leave a field empty to keep what is stored.</p>
      <PasswordField label="Access token" name="accessToken" autoComplete="off" fault={faults.accessToken} />
      <PasswordField label="App secret" name="appSecret" autoComplete="off" fault={faults.appSecret} />
    </FormDialog>
  );
}

export function DisconnectAccountDialog({ account, onClose, onDone }: AccountDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const disconnect = async (): Promise<void> => {
    await session.call(`${instagramPath(org.id)}/${account.id}`, { method: "DELETE", orgId: org.id });
    await onDone(`${account.name} is disconnected.`);
  };
  return (
    <FormDialog
      title={`Disconnect ${account.name}?`}
      does="Disconnect"
      isDanger
      onSubmit={disconnect}
      onClose={onClose}
    >
      <p>
        All its conversations are deleted, and messages to it are no longer received. This can't be undone.
      </p>
    </FormDialog>
  );
}
