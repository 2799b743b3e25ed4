import type { Channel } from "@parley/shared/contracts/messaging.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { ChoiceField, Field, PasswordField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useFieldFaults } from "../../ui/use-field-faults.ts";
import { passwordOf, textOf } from "../../ui/use-submit.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { channelsPath } from "./use-channels.ts";

/** Chooses who answers: an agent, or people. */
export function AnsweredBy({ agentId = null }: { readonly agentId?: string | null }) {
  const agents = useAgentNames();
  return (
    <ChoiceField
      // The options load after the field.
      key={agents.size}
      label="Answered by"
      name="agentId"
      defaultValue={agentId ?? ""}
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
  const { faults, attempt } = useFieldFaults([
    "phoneNumberId",
    "businessAccountId",
    "accessToken",
    "appSecret",
  ]);
  const connect = (fields: FormData): Promise<void> =>
    attempt(async () => {
      const name = textOf(fields, "name");
      const body = {
        ...(name === "" ? {} : { name }),
        phoneNumberId: textOf(fields, "phoneNumberId"),
        businessAccountId: textOf(fields, "businessAccountId"),
        accessToken: textOf(fields, "accessToken"),
        appSecret: textOf(fields, "appSecret"),
        agentId: textOf(fields, "agentId") || null,
      };
      onMade(await session.call<Channel>(channelsPath(org.id), { orgId: org.id, body }));
    });
  const id = { inputMode: "numeric", autoComplete: "off", required: true } as const;
  return (
    <FormDialog title="Connect a WhatsApp number" does="Connect" onSubmit={connect} onClose={onClose}>
      <Field label="Name (optional)" name="name" maxLength={128} autoComplete="off" />
      <Field
        label="Phone number ID"
        name="phoneNumberId"
        hint="In your Meta app under WhatsApp → API setup. It isn't the phone number."
        fault={faults.phoneNumberId}
        {...id}
      />
      <Field label="Business account ID" name="businessAccountId" fault={faults.businessAccountId} {...id} />
      <PasswordField
        label="Access token"
        name="accessToken"
        autoComplete="off"
        hint="Of a system user. It is encrypted and never shown again."
        fault={faults.accessToken}
        required
      />
      <PasswordField
        label="App secret"
        name="appSecret"
        autoComplete="off"
        hint="In your Meta app under App settings → Basic."
        fault={faults.appSecret}
        required
      />
      <AnsweredBy />
    </FormDialog>
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
  const save = async (fields: FormData): Promise<void> => {
    const body = { name: textOf(fields, "name"), agentId: textOf(fields, "agentId") || null };
    await session.call(`${channelsPath(org.id)}/${channel.id}`, { method: "PATCH", orgId: org.id, body });
    onClose();
    await onDone("Saved.");
  };
  return (
    <FormDialog title={`Edit ${channel.name}`} does="Save" onSubmit={save} onClose={onClose}>
      <Field
        label="Name"
        name="name"
        maxLength={128}
        autoComplete="off"
        defaultValue={channel.name}
        required
      />
      <AnsweredBy agentId={channel.agentId} />
    </FormDialog>
  );
}

export function CredentialsDialog({ channel, onClose, onDone }: ChannelDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const { faults, attempt } = useFieldFaults(["accessToken", "appSecret"]);
  const save = (fields: FormData): Promise<void> =>
    attempt(async () => {
      const accessToken = passwordOf(fields, "accessToken").trim();
      const appSecret = passwordOf(fields, "appSecret").trim();
      const body = { ...(accessToken ? { accessToken } : {}), ...(appSecret ? { appSecret } : {}) };
      const path = `${channelsPath(org.id)}/${channel.id}/credentials`;
      await session.call(path, { method: "PUT", orgId: org.id, body });
      onClose();
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
