import type { WhatsAppCampaign } from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { useState } from "react";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { LoadProblem } from "../../ui/loaded.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { HoursFields, hoursIn } from "../campaigns/hours-fields.tsx";
import { useOrgCall } from "../campaigns/use-campaigns.ts";
import { channelTitle } from "../messaging/messaging-labels.ts";
import { templateText } from "../messaging/template-text.ts";
import { type Template, useChannels, useTemplates } from "../messaging/use-channels.ts";
import { BlankFields, blanksIn } from "./blank-fields.tsx";
import { WHATSAPP_CAMPAIGNS } from "./use-whatsapp-campaigns.ts";

interface DialogProps {
  /** The campaign to change; absent for a new one. */
  readonly campaign?: WhatsAppCampaign;
  readonly onClose: () => void;
  readonly onSaved: (campaign: WhatsAppCampaign) => void;
}

const keyOf = ({ name, language }: Pick<Template, "name" | "language">): string => `${name} (${language})`;

/** Which template is sent from which number, what fills it in, when and how fast. */
export function WhatsAppCampaignDialog({ campaign, onClose, onSaved }: DialogProps) {
  const { send } = useOrgCall();
  const channels = useChannels();
  const settings = campaign?.settings;
  const [channelId, setChannel] = useState(settings?.channelId);
  const from = channelId ?? channels.data?.[0]?.id;
  const [key, setKey] = useState(settings && keyOf(settings.template));
  const templates = useTemplates(from);
  const approved = templates.data?.filter(({ status }) => status === "APPROVED") ?? [];
  const template = approved.find((one) => keyOf(one) === key) ?? approved[0];
  const save = async (fields: FormData): Promise<void> => {
    if (from === undefined || !template) return;
    const { name, language } = template;
    const body = {
      name: textOf(fields, "name"),
      channelId: from,
      template: { name, language, ...blanksIn(fields, templateText(template.components)) },
      hours: hoursIn(fields),
      messagesPerMinute: Number(textOf(fields, "messagesPerMinute")),
    };
    const path = campaign ? `${WHATSAPP_CAMPAIGNS}/${campaign.id}` : WHATSAPP_CAMPAIGNS;
    onSaved(await send<WhatsAppCampaign>(campaign ? "PATCH" : "POST", path, body));
  };
  const problem = template && templateText(template.components).problem;
  return (
    <FormDialog
      title={campaign ? "Change campaign" : "New WhatsApp campaign"}
      does={campaign ? "Save" : "Create"}
      size="wide"
      isReady={template !== undefined && problem === undefined}
      problem={problem}
      onSubmit={save}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        maxLength={128}
        autoComplete="off"
        required
        defaultValue={campaign?.name}
      />
      <LoadProblem of={channels} />
      {channels.data?.length === 0 && <p>No WhatsApp numbers yet. Connect one first.</p>}
      {from !== undefined && (
        <div className="campaign-fields">
          <ChoiceField
            label="From number"
            name="channelId"
            value={from}
            onChange={({ target }) => setChannel(target.value)}
          >
            {channels.data?.map((channel) => (
              <option key={channel.id} value={channel.id}>
                {channelTitle(channel)}
              </option>
            ))}
          </ChoiceField>
          <TemplateChoice loaded={templates} approved={approved} chosen={template} onChoose={setKey} />
        </div>
      )}
      {template && <BlankFields key={keyOf(template)} template={template} filled={settings?.template} />}
      <HoursFields hours={settings?.hours} />
      <div className="campaign-fields">
        <Field
          label="Messages a minute"
          name="messagesPerMinute"
          type="number"
          min={1}
          max={600}
          required
          defaultValue={settings?.messagesPerMinute ?? 20}
        />
      </div>
    </FormDialog>
  );
}

interface TemplateChoiceProps {
  readonly loaded: ReturnType<typeof useTemplates>;
  readonly approved: readonly Template[];
  readonly chosen: Template | undefined;
  readonly onChoose: (key: string) => void;
}

/** The approved templates of a number's business account. */
function TemplateChoice({ loaded, approved, chosen, onChoose }: TemplateChoiceProps) {
  if (loaded.data === undefined) return <LoadProblem of={loaded} />;
  if (!chosen) return <p>No approved templates. Write one in WhatsApp Manager; Meta approves it.</p>;
  return (
    <ChoiceField
      label="Template"
      name="template"
      value={keyOf(chosen)}
      onChange={({ target }) => onChoose(target.value)}
    >
      {approved.map((one) => (
        <option key={keyOf(one)}>{keyOf(one)}</option>
      ))}
    </ChoiceField>
  );
}
