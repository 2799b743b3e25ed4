import type { Campaign } from "@parley/shared/contracts/campaigns.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { useNumbers } from "../numbers/use-numbers.ts";
import { HoursFields, hoursIn } from "./hours-fields.tsx";
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
  const save = async (fields: FormData): Promise<void> => {
    const path = campaign ? `/campaigns/${campaign.id}` : "/campaigns";
    onSaved(await send<Campaign>(campaign ? "PATCH" : "POST", path, bodyOf(fields)));
  };
  const settings = campaign?.settings;
  return (
    <FormDialog
      title={campaign ? "Change campaign" : "New campaign"}
      does={campaign ? "Save" : "Create"}
      size="wide"
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
      <WhoCalls settings={settings} />
      <WhenAndHowFast settings={settings} />
      <div className="campaign-fields">
        <ChoiceField
          label="When a machine answers"
          name="voicemail"
          defaultValue={settings?.voicemail ?? "agent"}
        >
          <option value="agent">Do what the agent does</option>
          <option value="hangup">Hang up</option>
        </ChoiceField>
        <ChoiceField
          label="Key to be called never again"
          name="optOutKey"
          hint="Have the agent say it."
          defaultValue={settings?.optOutKey ?? ""}
        >
          <option value="">None</option>
          {KEYS.map((key) => (
            <option key={key}>{key}</option>
          ))}
        </ChoiceField>
      </div>
    </FormDialog>
  );
}

interface PartProps {
  readonly settings: Campaign["settings"] | undefined;
}

function WhoCalls({ settings }: PartProps) {
  const agents = useAgentNames();
  const { data: numbers = [] } = useNumbers();
  return (
    <div className="campaign-fields">
      <ChoiceField
        // The default can only be selected once there are options.
        key={`agents ${agents.size}`}
        label="Agent"
        name="agentId"
        defaultValue={settings?.agentId}
        required
      >
        {[...agents].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </ChoiceField>
      <ChoiceField
        key={`numbers ${numbers.length}`}
        label="From number"
        name="fromNumberId"
        defaultValue={settings?.fromNumberId ?? ""}
      >
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

function WhenAndHowFast({ settings }: PartProps) {
  return (
    <>
      <HoursFields hours={settings?.hours} />
      <div className="campaign-fields">
        <Whole
          label="Calls a minute"
          name="callsPerMinute"
          max={600}
          value={settings?.callsPerMinute ?? 10}
        />
        <Whole label="Calls at once" name="maxLive" max={500} value={settings?.maxLive ?? 5} />
        <Field
          label="Budget (optional)"
          name="budgetMinutes"
          type="number"
          min={1}
          hint="Minutes of talk."
          defaultValue={settings?.budgetMinutes ?? ""}
        />
        <Field
          label="Budget in US dollars (optional)"
          name="budgetUsd"
          inputMode="decimal"
          hint="The campaign pauses when its calls have cost as much."
          defaultValue={settings?.budgetUsd ?? ""}
        />
      </div>
    </>
  );
}

interface WholeProps {
  readonly label: string;
  readonly name: string;
  readonly max: number;
  readonly value: number;
}

function Whole({ value, ...field }: WholeProps) {
  return <Field {...field} type="number" min={1} required defaultValue={value} />;
}

function bodyOf(fields: FormData) {
  const orNull = (name: string): string | null => textOf(fields, name) || null;
  const budget = orNull("budgetMinutes");
  return {
    name: textOf(fields, "name"),
    agentId: textOf(fields, "agentId"),
    fromNumberId: orNull("fromNumberId"),
    hours: hoursIn(fields),
    callsPerMinute: Number(textOf(fields, "callsPerMinute")),
    maxLive: Number(textOf(fields, "maxLive")),
    voicemail: textOf(fields, "voicemail"),
    optOutKey: orNull("optOutKey"),
    budgetMinutes: budget === null ? null : Number(budget),
    budgetUsd: orNull("budgetUsd"),
  };
}
