import { JsonSetting } from "./json-setting.tsx";
import { SectionPart } from "./section-part.tsx";
import { SwitchSetting } from "./settings-fields.tsx";

/** The agent's rehearsals, and whether they gate changes. */
export function RehearsalSettings() {
  return (
    <SectionPart
      title="Scenarios"
      lead="Test conversations with the agent, in text or speech, and what must happen in them. No real tools or phones are used."
    >
      <JsonSetting path="rehearsals.scenarios" rows={12} />
      <SwitchSetting path="rehearsals.required" />
    </SectionPart>
  );
}
