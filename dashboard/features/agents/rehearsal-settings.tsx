import { JsonSetting } from "./json-setting.tsx";
import { SectionPart } from "./section-part.tsx";
import { SwitchSetting } from "./settings-fields.tsx";

/** The agent's rehearsals, and whether they gate changes. */
export function RehearsalSettings() {
  return (
    <SectionPart
      title="Scenarios"
      lead="Conversations that are held with the agent, in text or in speech, and what has to come of them. Nothing is called for real."
    >
      <JsonSetting path="rehearsals.scenarios" rows={12} />
      <SwitchSetting path="rehearsals.required" />
    </SectionPart>
  );
}
