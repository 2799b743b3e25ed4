import { type Channel, connectChannelSchema } from "@parley/shared/contracts/messaging.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field, PasswordField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { AnsweredBy } from "./answered-by.tsx";
import { channelsPath } from "./use-channels.ts";

interface ConnectNumberDialogProps {
  readonly onClose: () => void;
  readonly onMade: (channel: Channel) => void;
}

export function ConnectNumberDialog({ onClose, onMade }: ConnectNumberDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: connectChannelSchema,
    values: {
      name: "",
      phoneNumberId: "",
      businessAccountId: "",
      accessToken: "",
      appSecret: "",
      agentId: "",
    },
    body: ({ name, agentId, ...typed }) => ({
      ...typed,
      ...(name.trim() === "" ? {} : { name }),
      agentId: agentId || null,
    }),
    send: async (body) => onMade(await session.call<Channel>(channelsPath(org.id), { orgId: org.id, body })),
  });
  const id = { inputMode: "numeric", autoComplete: "off", required: true } as const;
  return (
    <SchemaDialog title="Connect WhatsApp number" does="Connect number" form={form} onClose={onClose}>
      <Field {...form.field("name", "Name (optional)")} autoComplete="off" />
      <Field
        {...form.field("phoneNumberId", "Phone number ID")}
        hint="In your Meta app under WhatsApp → API setup. It isn’t the phone number."
        {...id}
      />
      <Field {...form.field("businessAccountId", "Business account ID")} {...id} />
      <PasswordField
        {...form.field("accessToken", "Access token")}
        autoComplete="off"
        hint="Of a system user. It is encrypted and never shown again."
        required
      />
      <PasswordField
        {...form.field("appSecret", "App secret")}
        autoComplete="off"
        hint="In your Meta app under App settings → Basic."
        required
      />
      <AnsweredBy {...form.field("agentId", "Answered by")} />
    </SchemaDialog>
  );
}

interface ChannelDialogProps {
  readonly channel: Channel;
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}

export function DisconnectDialog({ channel, onClose, onDone }: ChannelDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const disconnect = async (): Promise<void> => {
    await session.call(`${channelsPath(org.id)}/${channel.id}`, { method: "DELETE", orgId: org.id });
    await onDone(`${channel.name} disconnected.`);
  };
  return (
    <FormDialog
      title={`Disconnect ${channel.name}?`}
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
