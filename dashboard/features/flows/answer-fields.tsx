import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { ItemList } from "../agents/item-list.tsx";
import { valueAt } from "../agents/json-at.ts";
import { ListFault, SettingFrame } from "../agents/setting-frame.tsx";
import { LinesSetting, NumberSetting, SwitchSetting, TextSetting } from "../agents/settings-fields.tsx";
import { useEditor } from "../agents/use-editor.tsx";

const KINDS = {
  text: { name: "Any words", blank: { maxChars: 1_000 } },
  choice: { name: "One of several", blank: { options: [{ value: "", synonyms: [] }] } },
  number: { name: "A number", blank: { whole: false } },
  date: { name: "A date", blank: { future: true } },
  email: { name: "An email address", blank: {} },
  phone: { name: "A phone number", blank: {} },
  yes_no: { name: "Yes or no", blank: {} },
} as const;
type Kind = keyof typeof KINDS;

/** What counts as an answer. */
export function AnswerFields({ path }: { readonly path: string }) {
  const { draft, set } = useEditor();
  const type = valueAt(draft, `${path}.type`) as Kind | undefined;
  return (
    <>
      <SettingFrame path={`${path}.type`}>
        {(input) => (
          <select
            {...input}
            className="pf-select"
            value={type}
            onChange={({ currentTarget }) => {
              const wanted = currentTarget.value as Kind;
              set(path, { type: wanted, ...KINDS[wanted].blank });
            }}
          >
            {Object.entries(KINDS).map(([value, { name }]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </SettingFrame>
      {type === "choice" && <Options path={`${path}.options`} />}
      {type === "number" && (
        <>
          <NumberSetting path={`${path}.min`} isDecimal />
          <NumberSetting path={`${path}.max`} isDecimal />
          <SwitchSetting path={`${path}.whole`} />
        </>
      )}
      {type === "date" && (
        <>
          <SwitchSetting path={`${path}.future`} />
          <TextSetting path={`${path}.earliest`} />
          <TextSetting path={`${path}.latest`} />
        </>
      )}
    </>
  );
}

function Options({ path }: { readonly path: string }) {
  const { draft, set } = useEditor();
  const value = valueAt(draft, path);
  const options = Array.isArray(value) ? value.filter(isObject) : [];
  return (
    <>
      <ListFault path={path} />
      <ItemList
        path={path}
        items={options}
        least={1}
        nameOf={(option, index) => String(option.value || `Choice ${index + 1}`)}
      >
        {(at) => (
          <>
            <TextSetting path={`${at}.value`} />
            <LinesSetting path={`${at}.synonyms`} />
          </>
        )}
      </ItemList>
      <div className="row">
        <button
          type="button"
          className="pf-btn"
          onClick={() => set(path, [...options, { value: "", synonyms: [] }])}
        >
          Add choice
        </button>
      </div>
    </>
  );
}
