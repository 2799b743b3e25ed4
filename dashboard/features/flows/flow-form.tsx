import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { ItemList } from "../agents/item-list.tsx";
import { valueAt } from "../agents/json-at.ts";
import { JsonSetting } from "../agents/json-setting.tsx";
import { ListFault } from "../agents/setting-frame.tsx";
import { LinesSetting, TextSetting } from "../agents/settings-fields.tsx";
import { useEditor } from "../agents/use-editor.tsx";
import { type DraftFlow, FLOW_PATH } from "./flow-draft.ts";
import { withExit } from "./flow-edits.ts";
import { NodeSelect } from "./node-select.tsx";

/** The flow's own settings: start, exits from every node, and lines. */
export function FlowForm({ flow }: { readonly flow: DraftFlow }) {
  const { draft, set } = useEditor();
  const exits = flow.exits.filter(isObject);
  const path = `${FLOW_PATH}.exits`;
  return (
    <section className="stack" aria-label="The flow">
      <div>
        <h2>The flow</h2>
        <p className="pf-muted">Select a node or an edge to change it.</p>
      </div>
      <NodeSelect
        label="Start node"
        flow={flow}
        chosen={flow.start}
        onChoose={(id) => set(`${FLOW_PATH}.start`, id)}
      />
      <h3>Exits from every node</h3>
      <ListFault path={path} />
      <ItemList path={path} items={exits} nameOf={({ name }) => String(name)}>
        {(at, { to }) => (
          <>
            <TextSetting path={`${at}.name`} />
            <LinesSetting path={`${at}.phrases`} />
            <TextSetting path={`${at}.judge`} />
            <NodeSelect
              label="Leads to"
              flow={flow}
              chosen={String(to)}
              onChoose={(id) => set(`${at}.to`, id)}
            />
          </>
        )}
      </ItemList>
      <div className="row">
        <button type="button" className="pf-btn" onClick={() => set(path, withExit(exits))}>
          Add exit
        </button>
      </div>
      {isObject(valueAt(draft, `${FLOW_PATH}.lines`)) && (
        <>
          <h3>Lines</h3>
          <TextSetting path={`${FLOW_PATH}.lines.retry`} />
          <TextSetting path={`${FLOW_PATH}.lines.confirm`} />
        </>
      )}
      <details>
        <summary>As JSON</summary>
        <JsonSetting path={FLOW_PATH} rows={14} />
      </details>
    </section>
  );
}
