import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { ItemList } from "../agents/item-list.tsx";
import { valueAt } from "../agents/json-at.ts";
import { ListFault } from "../agents/setting-frame.tsx";
import { ChoiceSetting, TextSetting } from "../agents/settings-fields.tsx";
import { useEditor } from "../agents/use-editor.tsx";
import type { DraftFlow } from "./flow-draft.ts";
import { NodeSelect } from "./node-select.tsx";

const TAKEN = { always: "Always", when: "On a condition", judge: "When the model finds so" } as const;
type Taken = keyof typeof TAKEN;

const COMPARISONS = {
  equals: "is",
  not_equals: "is not",
  contains: "contains",
  greater: "is greater than",
  less: "is less than",
  at_least: "is at least",
  at_most: "is at most",
  exists: "has a value",
  missing: "has no value",
};

/** An edge's target and condition. */
export function EdgeFields({ path, flow }: { readonly path: string; readonly flow: DraftFlow }) {
  const { draft, set } = useEditor();
  const edge = valueAt(draft, path);
  if (!isObject(edge)) return null;
  const { when, judge, ...rest } = edge;
  const taken = takenOf(edge);
  const choose = (wanted: Taken): void => {
    if (wanted === "always") set(path, rest);
    if (wanted === "when") set(path, { ...rest, when: when ?? newCondition() });
    if (wanted === "judge") set(path, { ...rest, judge: judge ?? "" });
  };
  return (
    <>
      <NodeSelect
        label="Leads to"
        flow={flow}
        chosen={String(edge.to)}
        onChoose={(to) => set(`${path}.to`, to)}
      />
      <div className="field">
        <label htmlFor={`${path}-taken`}>Taken</label>
        <select
          id={`${path}-taken`}
          className="pf-select"
          value={taken}
          onChange={({ currentTarget }) => choose(currentTarget.value as Taken)}
        >
          {Object.entries(TAKEN).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {taken === "judge" && <TextSetting path={`${path}.judge`} />}
      {taken === "when" && <Condition path={`${path}.when`} />}
    </>
  );
}

function takenOf({ when, judge }: { readonly when?: unknown; readonly judge?: unknown }): Taken {
  if (when !== undefined) return "when";
  return judge === undefined ? "always" : "judge";
}

function newCondition() {
  return { match: "all", tests: [newTest()] };
}

function newTest() {
  return { variable: "", is: "equals", value: "" };
}

function Condition({ path }: { readonly path: string }) {
  const { draft, set } = useEditor();
  const value = valueAt(draft, `${path}.tests`);
  const tests = Array.isArray(value) ? value.filter(isObject) : [];
  return (
    <>
      {tests.length > 1 && (
        <ChoiceSetting path={`${path}.match`} names={{ all: "All of them hold", any: "One of them holds" }} />
      )}
      <ListFault path={`${path}.tests`} />
      <ItemList path={`${path}.tests`} items={tests} nameOf={(_, index) => `Test ${index + 1}`} least={1}>
        {(at, { is }) => (
          <>
            <TextSetting path={`${at}.variable`} />
            <ChoiceSetting path={`${at}.is`} names={COMPARISONS} />
            {is !== "exists" && is !== "missing" && <TextSetting path={`${at}.value`} />}
          </>
        )}
      </ItemList>
      <div className="row">
        <button type="button" className="pf-btn" onClick={() => set(`${path}.tests`, [...tests, newTest()])}>
          Add test
        </button>
      </div>
    </>
  );
}
