import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { ItemList } from "./item-list.tsx";
import { valueAt } from "./json-at.ts";
import { SectionPart } from "./section-part.tsx";
import { ListFault } from "./setting-frame.tsx";
import {
  ChoiceSetting,
  LinesSetting,
  LongTextSetting,
  NumberSetting,
  SwitchSetting,
  TextSetting,
} from "./settings-fields.tsx";
import { useEditor } from "./use-editor.tsx";

/** What the agent says first, and what each call supplies. */
export function OpeningSection() {
  const { draft, set } = useEditor();
  const value = valueAt(draft, "variables");
  const variables = Array.isArray(value) ? value.filter(isObject) : [];
  return (
    <>
      <SectionPart title="Opening words">
        <LongTextSetting path="firstResponse" rows={3} />
        <SwitchSetting path="turnTaking.firstResponseInterruptible" />
      </SectionPart>
      <SectionPart
        title="Variables"
        lead="Variables passed with each call. Use {name} in prompts and messages. A call may bring others, too."
      >
        <ListFault path="variables" />
        <ItemList
          path="variables"
          items={variables}
          nameOf={({ name }, index) => (name ? `{${String(name)}}` : `Variable ${index + 1}`)}
        >
          {(path, { name }, index) => (
            <>
              <div className="agent-grid">
                <TextSetting path={`${path}.name`} of={`variable ${index + 1}`} />
                <TextSetting path={`${path}.description`} of={String(name ?? "")} />
              </div>
              <SwitchSetting path={`${path}.required`} of={String(name ?? "")} />
            </>
          )}
        </ItemList>
        <div className="row">
          <button
            type="button"
            className="pf-btn"
            onClick={() => set("variables", [...variables, { name: "", required: false }])}
          >
            Add variable
          </button>
        </div>
      </SectionPart>
    </>
  );
}

/** Who speaks when. */
export function TurnsSection() {
  return (
    <>
      <SectionPart title="End of a turn" lead="When the agent decides that the caller has finished.">
        <div className="agent-grid">
          <NumberSetting path="turnTaking.endpointing.minMs" />
          <NumberSetting path="turnTaking.endpointing.maxMs" />
          <NumberSetting path="turnTaking.endpointing.finalTimeoutMs" />
          <NumberSetting path="turnTaking.endpointing.maxTurnMs" />
        </div>
        <SwitchSetting path="turnTaking.endpointing.speculative" />
      </SectionPart>
      <SectionPart title="Interrupting the agent" lead="While the agent speaks.">
        <SwitchSetting path="turnTaking.bargeIn.enabled" />
        <div className="agent-grid">
          <NumberSetting path="turnTaking.bargeIn.minSpeechMs" />
          <NumberSetting path="turnTaking.bargeIn.minWords" />
          <NumberSetting path="turnTaking.bargeIn.falseAlarmMs" />
          <NumberSetting path="turnTaking.bargeIn.confirmSpeechMs" />
        </div>
      </SectionPart>
      <SectionPart
        title="Barge-in while thinking"
        lead="Before the agent speaks: what the caller adds joins the same turn."
      >
        <SwitchSetting path="turnTaking.thinkingInterruption.enabled" />
        <div className="agent-grid">
          <NumberSetting path="turnTaking.thinkingInterruption.minSpeechMs" />
          <NumberSetting path="turnTaking.thinkingInterruption.minWords" />
        </div>
      </SectionPart>
    </>
  );
}

const VOICEMAIL_NAMES = {
  hangup: "Hang up",
  message: "Leave a message",
  continue: "Talk as with a person",
} as const;

/** When a call ends automatically, what machines are told, and what is kept. */
export function LimitsSection() {
  const { draft } = useEditor();
  return (
    <>
      <SectionPart title="Waiting for an answer" lead="When the brain or the recognizer takes long.">
        <div className="agent-grid">
          <NumberSetting path="waiting.afterMs" />
          <TextSetting path="waiting.line" />
          <NumberSetting path="waiting.againAfterMs" />
          <TextSetting path="waiting.againLine" />
        </div>
      </SectionPart>
      <SectionPart title="Outages" lead="When no speech-to-text provider is working.">
        <div className="agent-grid">
          <NumberSetting path="outage.hangupAfterMs" />
          <TextSetting path="outage.hearingLine" />
        </div>
      </SectionPart>
      <SectionPart title="Silence">
        <div className="agent-grid">
          <NumberSetting path="silence.promptAfterMs" />
          <NumberSetting path="silence.hangupAfterMs" />
        </div>
        <LinesSetting path="silence.prompts" />
      </SectionPart>
      <SectionPart title="Duration">
        <div className="agent-grid">
          <NumberSetting path="maxDurationMs" />
        </div>
      </SectionPart>
      <SectionPart title="Voicemail" lead="For calls the agent makes, when an answering machine picks up.">
        <ChoiceSetting path="voicemail.action" names={VOICEMAIL_NAMES} />
        {valueAt(draft, "voicemail.action") === "message" && (
          <LongTextSetting path="voicemail.message" rows={3} />
        )}
      </SectionPart>
      <SectionPart title="Recording">
        <SwitchSetting path="recording" />
      </SectionPart>
    </>
  );
}
