import { channelCredentialsSchema, updateChannelSchema } from "@parley/shared/contracts/messaging.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field, PasswordField } from "../../ui/field.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { AnsweredBy } from "./answered-by.tsx";

/** Dialogs about a connected account, a WhatsApp number's or one of Instagram. */
export interface AccountDialogProps {
  readonly account: { readonly name: string; readonly agentId: string | null };
  /** The account's address in the API. */
  readonly path: string;
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}

export function EditAccountDialog({ account, path, onClose, onDone }: AccountDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: updateChannelSchema,
    values: { name: account.name, agentId: account.agentId ?? "" },
    body: ({ name, agentId }) => ({ name, agentId: agentId || null }),
    send: async (body) => {
      await session.call(path, { method: "PATCH", orgId: org.id, body });
      onClose();
      await onDone("Saved.");
    },
  });
  return (
    <SchemaDialog title={`Edit ${account.name}`} does="Save" form={form} onClose={onClose}>
      <Field {...form.field("name", "Name")} autoComplete="off" required />
      <AnsweredBy {...form.field("agentId", "Answered by")} />
    </SchemaDialog>
  );
}

export function ReplaceCredentialsDialog({ path, onClose, onDone }: Omit<AccountDialogProps, "account">) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: channelCredentialsSchema,
    values: { accessToken: "", appSecret: "" },
    body: ({ accessToken, appSecret }) => ({
      ...(accessToken.trim() === "" ? {} : { accessToken }),
      ...(appSecret.trim() === "" ? {} : { appSecret }),
    }),
    send: async (body) => {
      await session.call(`${path}/credentials`, { method: "PUT", orgId: org.id, body });
      onClose();
      await onDone("Credentials replaced.");
    },
  });
  return (
    <SchemaDialog title="Replace credentials" does="Replace" form={form} onClose={onClose}>
      <p>Leave a field empty to keep what is stored.</p>
      <PasswordField {...form.field("accessToken", "Access token")} autoComplete="off" />
      <PasswordField {...form.field("appSecret", "App secret")} autoComplete="off" />
    </SchemaDialog>
  );
}
