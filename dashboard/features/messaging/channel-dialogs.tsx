import {
  type Channel,
  channelCredentialsSchema,
  connectChannelSchema,
  updateChannelSchema,
} from "@parley/shared/contracts/messaging.ts";
import type { ComponentProps } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { ChoiceField, Field, PasswordField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { channelsPath } from "./use-channels.ts";

type AnsweredByProps = Omit<ComponentProps<typeof ChoiceField>, "children" | "hint">;

/** Chooses who answers: an agent, or people. */
export function AnsweredBy(field: AnsweredByProps) {
  const agents = useAgentNames();
  return (
    <ChoiceField
      // The options load after the field.
      key={agents.size}
      {...field}
      hint="Your team can take over any conversation in the inbox."
    >
      <option value="">Your team</option>
      {[...agents].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </ChoiceField>
  );
}

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
    <SchemaDialog title="Connect a WhatsApp number" does="Connect" form={form} onClose={onClose}>
      <Field {...form.field("name", "Name (optional)")} autoComplete="off" />
      <Field
        {...form.field("phoneNumberId", "Phone number ID")}
        hint="In your Meta app under WhatsApp → API setup. It isn't the phone number."
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

export function EditNumberDialog({ channel, onClose, onDone }: ChannelDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: updateChannelSchema,
    values: { name: channel.name, agentId: channel.agentId ?? "" },
    body: ({ name, agentId }) => ({ name, agentId: agentId || null }),
    send: async (body) => {
      await session.call(`${channelsPath(org.id)}/${channel.id}`, { method: "PATCH", orgId: org.id, body });
      onClose();
      await onDone("Saved.");
    },
  });
  return (
    <SchemaDialog title={`Edit ${channel.name}`} does="Save" form={form} onClose={onClose}>
      <Field {...form.field("name", "Name")} autoComplete="off" required />
      <AnsweredBy {...form.field("agentId", "Answered by")} />
    </SchemaDialog>
  );
}

export function CredentialsDialog({ channel, onClose, onDone }: ChannelDialogProps) {
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
      const path = `${channelsPath(org.id)}/${channel.id}/credentials`;
      await session.call(path, { method: "PUT", orgId: org.id, body });
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

export function DisconnectDialog({ channel, onClose, onDone }: ChannelDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const disconnect = async (): Promise<void> => {
    await session.call(`${channelsPath(org.id)}/${channel.id}`, { method: "DELETE", orgId: org.id });
    await onDone(`${channel.name} is disconnected.`);
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
        All its conversations are deleted, and messages to it are no longer received. This can't be undone.
      </p>
    </FormDialog>
  );
}
