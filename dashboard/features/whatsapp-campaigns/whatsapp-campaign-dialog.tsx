import {
  createWhatsAppCampaignSchema,
  updateWhatsAppCampaignSchema,
  type WhatsAppCampaign,
} from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { LoadProblem } from "../../ui/loaded.tsx";
import { numberIn } from "../../ui/schema-form/number-in.ts";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import {
  HOURS_PLACES,
  HoursFields,
  hoursIn,
  type TypedHours,
  typedHours,
} from "../campaigns/hours-fields.tsx";
import { useOrgCall } from "../campaigns/use-campaigns.ts";
import { channelTitle } from "../messaging/messaging-labels.ts";
import { templateText } from "../messaging/template-text.ts";
import { type Template, useChannels, useTemplates } from "../messaging/use-channels.ts";
import { BlankFields, blankPlaces, blanksIn, type TypedBlanks, typedBlanks } from "./blank-fields.tsx";
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
  const channels = useChannels();
  const settings = campaign?.settings;
  const [channelId, setChannel] = useState(settings?.channelId);
  const from = channelId ?? channels.data?.[0]?.id;
  const [key, setKey] = useState(settings && keyOf(settings.template));
  const templates = useTemplates(from);
  const approved = templates.data?.filter(({ status }) => status === "APPROVED") ?? [];
  const template = approved.find((one) => keyOf(one) === key) ?? approved[0];
  const problem = template && templateText(template.components).problem;
  const form = useCampaignForm({ campaign, from, template, onSaved });
  return (
    <SchemaDialog
      title={campaign ? "Edit campaign" : "Create campaign"}
      does={campaign ? "Save" : "Create campaign"}
      size="wide"
      isReady={template !== undefined && problem === undefined}
      form={{ ...form, problem: form.problem ?? problem }}
      onClose={onClose}
    >
      <Field {...form.field("name", "Name")} autoComplete="off" required />
      <LoadProblem of={channels} />
      {channels.data?.length === 0 && (
        <p>
          No WhatsApp numbers yet. <Link to="/channels">Connect one</Link> first.
        </p>
      )}
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
      {template && <BlankFields key={keyOf(template)} form={form} template={template} />}
      <HoursFields form={form} hours={settings?.hours} />
      <div className="campaign-fields">
        <Field
          {...form.field("messagesPerMinute", "Messages per minute")}
          type="number"
          min={1}
          max={600}
          required
        />
        <Field
          {...form.field("budgetUsd", "Budget in US dollars (optional)")}
          inputMode="decimal"
          hint="The campaign pauses before its messages exceed this."
        />
      </div>
    </SchemaDialog>
  );
}

type Typed = TypedHours &
  TypedBlanks & { readonly name: string; readonly messagesPerMinute: string; readonly budgetUsd: string };

interface CampaignFormOptions extends Pick<DialogProps, "onSaved"> {
  readonly campaign: WhatsAppCampaign | undefined;
  /** The chosen number. */
  readonly from: string | undefined;
  readonly template: Template | undefined;
}

function useCampaignForm({ campaign, from, template, onSaved }: CampaignFormOptions) {
  const { send } = useOrgCall();
  const settings = campaign?.settings;
  const values: Typed = {
    name: campaign?.name ?? "",
    ...typedHours(settings?.hours),
    messagesPerMinute: String(settings?.messagesPerMinute ?? 20),
    budgetUsd: settings?.budgetUsd ?? "",
    ...typedBlanks(template, settings?.template),
  };
  return useSchemaForm({
    schema: campaign ? updateWhatsAppCampaignSchema : createWhatsAppCampaignSchema,
    values,
    places: { ...HOURS_PLACES, ...blankPlaces(template) },
    body: (typed) => ({
      name: typed.name,
      channelId: from,
      template: template && {
        name: template.name,
        language: template.language,
        ...blanksIn(typed, template),
      },
      hours: hoursIn(typed),
      messagesPerMinute: numberIn(typed.messagesPerMinute),
      budgetUsd: typed.budgetUsd.trim() || null,
    }),
    send: async (body) => {
      const path = campaign ? `${WHATSAPP_CAMPAIGNS}/${campaign.id}` : WHATSAPP_CAMPAIGNS;
      onSaved(await send<WhatsAppCampaign>(campaign ? "PATCH" : "POST", path, body));
    },
  });
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
