import { JsonSetting } from "./json-setting.tsx";
import { SectionPart } from "./section-part.tsx";
import { SwitchSetting } from "./settings-fields.tsx";

/** What is rehearsed with the agent, and whether a change has to wait for it. */
export function RehearsalSettings() {
  return (
    <SectionPart
      title="Scenarios"
      lead="Conversations that are held with the agent in text, and what has to come of them. Nothing is called for real."
    >
      <JsonSetting path="rehearsals.scenarios" rows={12} />
      <SwitchSetting path="rehearsals.required" />
    </SectionPart>
  );
}
