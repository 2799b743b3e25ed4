import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { ItemList } from "../agents/item-list.tsx";
import { valueAt } from "../agents/json-at.ts";
import { JsonSetting } from "../agents/json-setting.tsx";
import { ListFault, SettingFrame } from "../agents/setting-frame.tsx";
import {
  ChoiceSetting,
  LinesSetting,
  LongTextSetting,
  NumberSetting,
  SwitchSetting,
  TextSetting,
} from "../agents/settings-fields.tsx";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { useEditor } from "../agents/use-editor.tsx";
import { AnswerFields } from "./answer-fields.tsx";
import type { DraftNode } from "./flow-draft.ts";

interface NodeFieldsProps {
  readonly path: string;
  readonly node: DraftNode;
}

/** A node's fields, by its type. */
export function NodeFields({ path, node }: NodeFieldsProps) {
  switch (node.type) {
    case "say":
    case "end":
      return <LongTextSetting path={`${path}.text`} rows={3} />;
    case "ask":
      return (
        <QuestionFields path={path}>
          <AnswerFields path={`${path}.answer`} />
        </QuestionFields>
      );
    case "collect":
      return (
        <QuestionFields path={path}>
          <NumberSetting path={`${path}.minDigits`} />
          <NumberSetting path={`${path}.maxDigits`} />
        </QuestionFields>
      );
    case "model":
      return <ModelFields path={path} />;
    case "tool":
    case "knowledge":
      return <ToolFields path={path} node={node} />;
    case "condition":
      return <p>Each edge below says when it is taken. The last one needs none.</p>;
    case "set":
      return <Variables path={`${path}.values`} other="value" least={1} />;
    case "transfer":
      return (
        <>
          <LongTextSetting path={`${path}.text`} rows={2} />
          <TextSetting path={`${path}.to`} type="tel" />
          <ChoiceSetting
            path={`${path}.mode`}
            names={{ blind: "Blind", warm: "Warm: the person who answers is briefed first" }}
          />
          {node.mode === "warm" && <TextSetting path={`${path}.whisper`} />}
        </>
      );
    case "hand_off":
      return (
        <>
          <LongTextSetting path={`${path}.text`} rows={2} />
          <AgentSetting path={`${path}.agentId`} />
          <LongTextSetting path={`${path}.summary`} rows={2} />
          <LinesSetting path={`${path}.variables`} />
        </>
      );
    case "wait":
      return <TextSetting path={`${path}.save`} />;
    default:
      return <p>This page does not know this type of node. Change it as JSON.</p>;
  }
}

function QuestionFields({ path, children }: { readonly path: string; readonly children: React.ReactNode }) {
  return (
    <>
      <LongTextSetting path={`${path}.text`} rows={2} />
      <TextSetting path={`${path}.save`} />
      {children}
      <NumberSetting path={`${path}.attempts`} />
      <TextSetting path={`${path}.retry`} />
      <SwitchSetting path={`${path}.skipIfKnown`} />
    </>
  );
}

function ModelFields({ path }: { readonly path: string }) {
  return (
    <>
      <LongTextSetting path={`${path}.prompt`} rows={6} />
      <NumberSetting path={`${path}.maxTurns`} />
      <LinesSetting path={`${path}.tools`} hint="Names of the agent’s tools, one per line." />
      <h3>What it keeps</h3>
      <Variables path={`${path}.save`} other="description" />
    </>
  );
}

function ToolFields({ path, node }: NodeFieldsProps) {
  const isLookUp = node.type === "knowledge";
  return (
    <>
      <ToolSetting path={`${path}.tool`} isLookUp={isLookUp} />
      {isLookUp ? (
        <>
          <TextSetting path={`${path}.query`} />
          <TextSetting path={`${path}.save`} />
        </>
      ) : (
        <JsonSetting path={`${path}.arguments`} rows={4} />
      )}
      <TextSetting path={`${path}.saying`} />
      {!isLookUp && (
        <>
          <TextSetting path={`${path}.confirm`} />
          <h3>What it keeps of the result</h3>
          <Variables path={`${path}.save`} other="path" />
        </>
      )}
    </>
  );
}

interface VariablesProps {
  readonly path: string;
  /** The field next to the variable's name. */
  readonly other: "value" | "description" | "path";
  readonly least?: number;
}

function Variables({ path, other, least = 0 }: VariablesProps) {
  const { draft, set } = useEditor();
  const value = valueAt(draft, path);
  const items = Array.isArray(value) ? value.filter(isObject) : [];
  return (
    <>
      <ListFault path={path} />
      <ItemList
        path={path}
        items={items}
        least={least}
        nameOf={({ variable }, index) => String(variable || `Variable ${index + 1}`)}
      >
        {(at) => (
          <>
            <TextSetting path={`${at}.variable`} />
            <TextSetting path={`${at}.${other}`} />
          </>
        )}
      </ItemList>
      <div className="row">
        <button
          type="button"
          className="pf-btn"
          onClick={() => set(path, [...items, { variable: "", [other]: "" }])}
        >
          Add variable
        </button>
      </div>
    </>
  );
}

/** Chooses one of the agent's tools; the flow has its own nodes for ending and transferring. */
function ToolSetting({ path, isLookUp }: { readonly path: string; readonly isLookUp: boolean }) {
  const { draft } = useEditor();
  const list = valueAt(draft, "brain.tools");
  const tools = Array.isArray(list) ? list.filter(isObject) : [];
  const names = tools
    .filter(({ kind }) => (isLookUp ? kind === "knowledge" : !LINE_KINDS.has(String(kind))))
    .map(({ name }) => String(name));
  return (
    <OptionSetting
      path={path}
      options={new Map(names.map((name) => [name, name]))}
      hint={names.length === 0 ? "Add the tool to the agent first, in Brain." : undefined}
    />
  );
}

const LINE_KINDS: ReadonlySet<string> = new Set(["end_call", "transfer", "play_keys", "hand_off"]);

function AgentSetting({ path }: { readonly path: string }) {
  const { agent } = useEditor();
  const others = [...useAgentNames()].filter(([id]) => id !== agent.id);
  return <OptionSetting path={path} options={new Map(others)} />;
}

interface OptionSettingProps {
  readonly path: string;
  /** Labels by stored value. */
  readonly options: ReadonlyMap<string, string>;
  readonly hint?: string | undefined;
}

function OptionSetting({ path, options, hint }: OptionSettingProps) {
  const { draft, set } = useEditor();
  const value = String(valueAt(draft, path) ?? "");
  return (
    <SettingFrame path={path} hint={hint}>
      {(input) => (
        <select
          {...input}
          className="pf-select"
          value={value}
          onChange={({ currentTarget }) => set(path, currentTarget.value)}
        >
          <option value="">Choose</option>
          {value !== "" && !options.has(value) && <option value={value}>{value}</option>}
          {[...options].map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      )}
    </SettingFrame>
  );
}
