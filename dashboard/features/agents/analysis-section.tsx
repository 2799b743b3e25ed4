import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { ItemList } from "./item-list.tsx";
import { valueAt } from "./json-at.ts";
import { SectionPart } from "./section-part.tsx";
import { ListFault } from "./setting-frame.tsx";
import {
  ChoiceSetting,
  LongTextSetting,
  NumberSetting,
  SwitchSetting,
  TextSetting,
} from "./settings-fields.tsx";
import { useEditor } from "./use-editor.tsx";

const FIELDS = "postCallAnalysis.customFields";
const CRITERIA = "postCallAnalysis.qaCriteria";
const TYPE_NAMES = { string: "Text", number: "Number", boolean: "Yes or no", date: "Date" } as const;
/** What Parley detects itself; an organization's own patterns have their own names. */
const PII_RULES = ["card_number", "email", "phone", "national_id"];

/** What happens to a call once it is over. */
export function AnalysisSection() {
  const { draft } = useEditor();
  return (
    <>
      <SectionPart
        title="Analysis"
        lead="A summary, the caller’s mood, topics and what was promised, in the call’s record and as call.analyzed."
      >
        <SwitchSetting path="postCallAnalysis.enabled" />
        {valueAt(draft, "postCallAnalysis.enabled") === true && <TextSetting path="postCallAnalysis.model" />}
      </SectionPart>
      {valueAt(draft, "postCallAnalysis.enabled") === true && (
        <>
          <Memory />
          <CustomFields />
          <Criteria />
        </>
      )}
    </>
  );
}

function Memory() {
  const { draft } = useEditor();
  return (
    <SectionPart
      title="Memory"
      lead="What the analysis finds of a person is given to the agent when they talk to it again."
    >
      <SwitchSetting path="memory.enabled" />
      {valueAt(draft, "memory.enabled") === true && (
        <>
          <NumberSetting path="memory.forgetAfterDays" />
          <SwitchSetting path="memory.unverifiedCallers" />
        </>
      )}
    </SectionPart>
  );
}

function CustomFields() {
  const { add, items } = useItems(FIELDS);
  return (
    <SectionPart title="Fields" lead="Values to be found in the conversation. A model is needed for it.">
      <ListFault path={FIELDS} />
      <ItemList
        path={FIELDS}
        items={items}
        nameOf={({ label, key }, index) => String(label || key || `Field ${index + 1}`)}
      >
        {(path, { key }, index) => {
          const of = String(key || `field ${index + 1}`);
          return (
            <>
              <div className="agent-grid">
                <TextSetting path={`${path}.key`} of={of} placeholder="order_id" />
                <TextSetting path={`${path}.label`} of={of} />
                <ChoiceSetting path={`${path}.type`} of={of} names={TYPE_NAMES} />
                <TextSetting path={`${path}.piiRule`} of={of} suggestions={PII_RULES} />
              </div>
              <LongTextSetting path={`${path}.description`} of={of} rows={2} />
            </>
          );
        }}
      </ItemList>
      <div className="row">
        <button type="button" className="pf-btn" onClick={() => add({ key: "", type: "string" })}>
          Add field
        </button>
      </div>
    </SectionPart>
  );
}

function Criteria() {
  const { add, items } = useItems(CRITERIA);
  return (
    <SectionPart title="Quality" lead="What each conversation is judged by. A model is needed for it.">
      <ListFault path={CRITERIA} />
      <ItemList
        path={CRITERIA}
        items={items}
        nameOf={({ key }, index) => String(key || `Criterion ${index + 1}`)}
      >
        {(path, { key }, index) => {
          const of = String(key || `criterion ${index + 1}`);
          return (
            <>
              <TextSetting path={`${path}.key`} of={of} placeholder="greeted" />
              <LongTextSetting path={`${path}.description`} of={of} rows={2} />
            </>
          );
        }}
      </ItemList>
      <div className="row">
        <button type="button" className="pf-btn" onClick={() => add({ key: "" })}>
          Add criterion
        </button>
      </div>
    </SectionPart>
  );
}

function useItems(path: string) {
  const { draft, set } = useEditor();
  const value = valueAt(draft, path);
  const items = Array.isArray(value) ? value.filter(isObject) : [];
  return { items, add: (item: Readonly<Record<string, string>>) => set(path, [...items, item]) };
}
