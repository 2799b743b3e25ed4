import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { ConnectorTool } from "./connector-tool.tsx";
import { ItemList } from "./item-list.tsx";
import { valueAt } from "./json-at.ts";
import { JsonSetting } from "./json-setting.tsx";
import { McpToolFields } from "./mcp-tool.tsx";
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

const KINDS = {
  http: "Ask an endpoint",
  end_call: "Hang up",
  play_keys: "Press keys",
  transfer: "Transfer the caller",
  connector: "Act in a connected system",
  mcp: "Call a remote tool",
} as const;
type ToolKind = keyof typeof KINDS;

/** Labels, including kinds that are added elsewhere. */
const NAMES: Readonly<Record<string, string>> = {
  ...KINDS,
  knowledge: "Look something up",
  hand_off: "Hand to an agent",
};

/** Tools a custom brain may call: they need credentials that only Parley holds. */
const CUSTOM_KINDS: readonly ToolKind[] = ["connector", "mcp"];

const NEW_TOOLS: Readonly<Record<ToolKind, Readonly<Record<string, unknown>>>> = {
  http: {
    kind: "http",
    name: "look_up",
    description: "",
    method: "POST",
    url: "",
    parameters: { type: "object", properties: {}, required: [] },
    headers: {},
    timeoutMs: 10_000,
    sendIdentifier: false,
  },
  end_call: { kind: "end_call", name: "end_call", description: "Ends the call. Say goodbye with it." },
  play_keys: {
    kind: "play_keys",
    name: "play_keys",
    description: "Presses keys of the telephone, for example in a menu.",
  },
  transfer: {
    kind: "transfer",
    name: "transfer",
    description: "Transfers the caller to someone else.",
    destinations: [{ name: "", number: "" }],
  },
  connector: {
    kind: "connector",
    name: "order_lookup",
    capability: "order.lookup",
    bind: {},
    timeoutMs: 10_000,
  },
  mcp: { kind: "mcp", name: "remote_tool", config: { mcpConnectionId: "" }, bind: {}, timeoutMs: 10_000 },
};

/** What the brain may do besides talking. */
export function ToolList({ isModel }: { readonly isModel: boolean }) {
  const { draft, set } = useEditor();
  const kinds = Object.entries(KINDS).filter(([kind]) => isModel || CUSTOM_KINDS.includes(kind as ToolKind));
  const value = valueAt(draft, "brain.tools");
  const tools = Array.isArray(value) ? value.filter(isObject) : [];
  const add = (kind: ToolKind): void => {
    const taken = new Set(tools.map(({ name }) => name));
    const tool = NEW_TOOLS[kind];
    const names = [tool.name, ...tools.map((_, index) => `${String(tool.name)}_${index + 2}`)];
    set("brain.tools", [...tools, { ...tool, name: names.find((name) => !taken.has(name)) ?? "" }]);
  };
  return (
    <SectionPart
      title="Tools"
      lead={
        isModel
          ? "What the model may do besides talking. Each use is in the call’s record, and webhooks tell of it."
          : "What your endpoint may ask Parley to do, in systems that only Parley has the credentials of. Each use is in the call’s record, and webhooks tell of it."
      }
    >
      <ListFault path="brain.tools" />
      <ItemList
        path="brain.tools"
        items={tools}
        nameOf={(tool) => `${NAMES[String(tool.kind)] ?? String(tool.kind)}: ${String(tool.name ?? "")}`}
      >
        {(path, tool) => (
          <ToolFields path={path} kind={tool.kind as ToolKind} name={String(tool.name ?? "")} />
        )}
      </ItemList>
      {tools.length === 0 && <p>No tools yet.</p>}
      <div className="row agent-adds">
        {kinds.map(([kind, name]) => (
          <button key={kind} type="button" className="pf-btn" onClick={() => add(kind as ToolKind)}>
            <span className="only-heard">Add a tool: </span>
            <span aria-hidden="true">+ </span>
            {name}
          </button>
        ))}
      </div>
    </SectionPart>
  );
}

function ToolFields({
  path,
  kind,
  name,
}: {
  readonly path: string;
  readonly kind: ToolKind;
  readonly name: string;
}) {
  const { draft } = useEditor();
  const destinations = valueAt(draft, `${path}.destinations`);
  if (kind === "connector") return <ConnectorTool path={path} name={name} />;
  if (kind === "mcp") return <McpToolFields path={path} name={name} />;
  return (
    <>
      <TextSetting path={`${path}.name`} of={name} />
      <LongTextSetting path={`${path}.description`} rows={2} of={name} />
      {kind === "http" && <HttpFields path={path} name={name} />}
      {kind === "transfer" && Array.isArray(destinations) && (
        <Destinations path={`${path}.destinations`} items={destinations.filter(isObject)} />
      )}
    </>
  );
}

function HttpFields({ path, name }: { readonly path: string; readonly name: string }) {
  return (
    <>
      <div className="agent-method-url">
        <ChoiceSetting path={`${path}.method`} of={name} />
        <TextSetting path={`${path}.url`} of={name} placeholder="https://example.com/orders/{order}" />
      </div>
      <JsonSetting path={`${path}.parameters`} of={name} />
      <JsonSetting path={`${path}.headers`} rows={3} of={name} />
      <div className="agent-grid">
        <NumberSetting path={`${path}.timeoutMs`} of={name} />
        <SwitchSetting path={`${path}.sendIdentifier`} of={name} />
      </div>
    </>
  );
}

interface DestinationsProps {
  readonly path: string;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** Transfer destinations for callers. */
function Destinations({ path, items }: DestinationsProps) {
  const { set } = useEditor();
  return (
    <>
      <ListFault path={path} />
      <ItemList
        path={path}
        items={items}
        nameOf={({ name }, index) => String(name || `Destination ${index + 1}`)}
      >
        {(at, { name }, index) => (
          <div className="agent-grid">
            <TextSetting path={`${at}.name`} of={`destination ${index + 1}`} placeholder="Sales" />
            <TextSetting path={`${at}.number`} type="tel" of={String(name || `destination ${index + 1}`)} />
          </div>
        )}
      </ItemList>
      <div className="row">
        <button
          type="button"
          className="pf-btn"
          onClick={() => set(path, [...items, { name: "", number: "" }])}
        >
          Add destination
        </button>
      </div>
    </>
  );
}
