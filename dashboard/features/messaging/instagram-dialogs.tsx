import { connectInstagramSchema, type InstagramAccount } from "@parley/shared/contracts/instagram.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field, PasswordField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { AnsweredBy } from "./answered-by.tsx";
import { instagramPath } from "./instagram-path.ts";

interface DialogProps {
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}

export function ConnectAccountDialog({ onClose, onDone }: DialogProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: connectInstagramSchema,
    values: { name: "", accessToken: "", appSecret: "", agentId: "" },
    body: ({ name, agentId, ...typed }) => ({
      ...typed,
      ...(name.trim() === "" ? {} : { name }),
      agentId: agentId || null,
    }),
    send: async (body) => {
      await session.call(instagramPath(org.id), { orgId: org.id, body });
      await onDone("Connected.");
    },
  });
  return (
    <SchemaDialog title="Connect Instagram account" does="Connect account" form={form} onClose={onClose}>
      <Field {...form.field("name", "Name (optional)")} autoComplete="off" />
      <PasswordField
        {...form.field("accessToken", "Access token")}
        autoComplete="off"
        hint="It is encrypted and never shown again."
        required
      />
      <PasswordField
        {...form.field("appSecret", "App secret")}
        autoComplete="off"
        hint="In your Meta app under Instagram → API setup."
        required
      />
      <AnsweredBy {...form.field("agentId", "Answered by")} />
    </SchemaDialog>
  );
}

interface AccountDialogProps extends DialogProps {
  readonly account: InstagramAccount;
}

export function DisconnectAccountDialog({ account, onClose, onDone }: AccountDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const disconnect = async (): Promise<void> => {
    await session.call(`${instagramPath(org.id)}/${account.id}`, { method: "DELETE", orgId: org.id });
    await onDone(`${account.name} disconnected.`);
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
        All its conversations are deleted, and messages to it are no longer received. This can’t be undone.
      </p>
    </FormDialog>
  );
}
