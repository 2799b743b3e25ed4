import {
  type Campaign,
  createCampaignSchema,
  updateCampaignSchema,
} from "@parley/shared/contracts/campaigns.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { numberIn } from "../../ui/schema-form/number-in.ts";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { type SchemaForm, useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { useNumbers } from "../numbers/use-numbers.ts";
import { HOURS_PLACES, HoursFields, hoursIn, typedHours } from "./hours-fields.tsx";
import { useOrgCall } from "./use-campaigns.ts";

interface CampaignDialogProps {
  /** The campaign to change; absent for a new one. */
  readonly campaign?: Campaign;
  readonly onClose: () => void;
  readonly onSaved: (campaign: Campaign) => void;
}

const KEYS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "#"];

/** Who calls, when and how fast. */
export function CampaignDialog({ campaign, onClose, onSaved }: CampaignDialogProps) {
  const { send } = useOrgCall();
  const agents = useAgentNames();
  const settings = campaign?.settings;
  const form = useSchemaForm({
    schema: campaign ? updateCampaignSchema : createCampaignSchema,
    values: typedOf(campaign, [...agents.keys()][0] ?? ""),
    places: HOURS_PLACES,
    body: bodyOf,
    send: async (body) => {
      const path = campaign ? `/campaigns/${campaign.id}` : "/campaigns";
      onSaved(await send<Campaign>(campaign ? "PATCH" : "POST", path, body));
    },
  });
  return (
    <SchemaDialog
      title={campaign ? "Edit campaign" : "Create campaign"}
      does={campaign ? "Save" : "Create campaign"}
      size="wide"
      form={form}
      onClose={onClose}
    >
      <Field {...form.field("name", "Name")} autoComplete="off" required />
      <WhoCalls form={form} agents={agents} />
      <HoursFields form={form} hours={settings?.hours} />
      <HowFast form={form} />
      <div className="campaign-fields">
        <ChoiceField {...form.field("voicemail", "When a machine answers")}>
          <option value="agent">Do what the agent does</option>
          <option value="hangup">Hang up</option>
        </ChoiceField>
        <ChoiceField {...form.field("optOutKey", "Opt-out key")} hint="Mention it in the agent’s greeting.">
          <option value="">None</option>
          {KEYS.map((key) => (
            <option key={key}>{key}</option>
          ))}
        </ChoiceField>
      </div>
    </SchemaDialog>
  );
}

type Typed = ReturnType<typeof typedOf>;

function typedOf(campaign: Campaign | undefined, firstAgent: string) {
  const settings = campaign?.settings;
  return {
    name: campaign?.name ?? "",
    agentId: settings?.agentId ?? firstAgent,
    fromNumberId: settings?.fromNumberId ?? "",
    ...typedHours(settings?.hours),
    callsPerMinute: String(settings?.callsPerMinute ?? 10),
    maxLive: String(settings?.maxLive ?? 5),
    budgetMinutes: String(settings?.budgetMinutes ?? ""),
    budgetUsd: settings?.budgetUsd ?? "",
    voicemail: settings?.voicemail ?? "agent",
    optOutKey: settings?.optOutKey ?? "",
  };
}

function bodyOf({ days, from, to, ...typed }: Typed) {
  return {
    ...typed,
    fromNumberId: typed.fromNumberId || null,
    hours: hoursIn({ days, from, to }),
    callsPerMinute: numberIn(typed.callsPerMinute),
    maxLive: numberIn(typed.maxLive),
    optOutKey: typed.optOutKey || null,
    budgetMinutes: typed.budgetMinutes === "" ? null : Number(typed.budgetMinutes),
    budgetUsd: typed.budgetUsd.trim() || null,
  };
}

interface PartProps {
  readonly form: SchemaForm<Typed>;
}

function WhoCalls({ form, agents }: PartProps & { readonly agents: ReadonlyMap<string, string> }) {
  const { data: numbers = [] } = useNumbers();
  return (
    <div className="campaign-fields">
      <ChoiceField
        // What is chosen can only be selected once there are options.
        key={`agents ${agents.size}`}
        {...form.field("agentId", "Agent")}
        required
      >
        {[...agents].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </ChoiceField>
      <ChoiceField key={`numbers ${numbers.length}`} {...form.field("fromNumberId", "From number")}>
        <option value="">The agent’s first number</option>
        {numbers.map(({ id, number }) => (
          <option key={id} value={id}>
            {number}
          </option>
        ))}
      </ChoiceField>
    </div>
  );
}

function HowFast({ form }: PartProps) {
  const whole = { type: "number", min: 1, required: true } as const;
  return (
    <div className="campaign-fields">
      <Field {...form.field("callsPerMinute", "Calls per minute")} max={600} {...whole} />
      <Field {...form.field("maxLive", "Calls at once")} max={500} {...whole} />
      <Field
        {...form.field("budgetMinutes", "Budget in minutes")}
        type="number"
        min={1}
        hint="Optional. Minutes of talk."
      />
      <Field
        {...form.field("budgetUsd", "Budget in US dollars")}
        inputMode="decimal"
        hint="Optional. The campaign pauses when its calls reach this cost."
      />
    </div>
  );
}
