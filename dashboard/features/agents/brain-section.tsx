import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { Link } from "@tanstack/react-router";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { later } from "../../ui/later.ts";
import { Skeleton } from "../../ui/loaded.tsx";
import { draftOf } from "./agent-draft.ts";
import { valueAt } from "./json-at.ts";
import { JsonSetting } from "./json-setting.tsx";
import { NEW_FLOW, NEW_MODEL } from "./new-brains.ts";
import { SecretSetting } from "./secret-setting.tsx";
import { SectionPart } from "./section-part.tsx";
import { LongTextSetting, NumberSetting, TextSetting } from "./settings-fields.tsx";
import { useEditor } from "./use-editor.tsx";

const ToolList = later(async () => (await import("./tool-list.tsx")).ToolList, Skeleton);

const KINDS = [
  { value: "model", name: "A model with a prompt" },
  { value: "flow", name: "A flow" },
  { value: "custom", name: "An endpoint of your own" },
] as const;
type Kind = (typeof KINDS)[number]["value"];

/** What a brain of each kind starts with. */
const BLANK: Readonly<Record<Kind, object>> = {
  model: NEW_MODEL,
  flow: { kind: "flow", flow: NEW_FLOW },
  custom: { kind: "custom", payload: {} },
};

/** Settings shared by all kinds, which a brain of another kind keeps. */
const MANNERS = [
  "connectTimeoutMs",
  "firstTokenTimeoutMs",
  "idleTimeoutMs",
  "clauseFlushMs",
  "fallbackLine",
] as const;

/** What answers the callers. */
export function BrainSection() {
  const { agent, draft, set } = useEditor();
  const written = valueAt(draft, "brain.kind");
  const kind: Kind = written === "model" || written === "flow" ? written : "custom";
  const saved = draftOf(agent).brain;
  const choose = (wanted: Kind): void => {
    if (wanted === kind) return;
    const wasSaved = isObject(saved) && saved.kind === wanted;
    const manners = MANNERS.map((name) => [name, valueAt(draft, `brain.${name}`)] as const);
    // Switching back to the saved kind restores the saved settings.
    set("brain", wasSaved ? saved : { ...Object.fromEntries(manners), ...BLANK[wanted] });
  };
  const hasSecret = agent.brain.hasSecret && isObject(saved) && saved.kind === kind;
  return (
    <>
      <SectionPart title="Agent">
        <TextSetting path="name" />
      </SectionPart>
      <SectionPart title="Brain" lead="It gets what the caller said and answers with what the agent says.">
        <ChoiceBar label="Kind of brain" options={KINDS} chosen={kind} onChoose={choose} />
        {kind === "model" && <ModelBrain hasSecret={hasSecret} />}
        {kind === "flow" && <FlowBrain hasSecret={hasSecret} />}
        {kind === "custom" && <CustomBrain hasSecret={hasSecret} />}
      </SectionPart>
      <ToolList isModel={kind !== "custom"} />
      <SectionPart title="When it is slow or fails">
        <div className="agent-grid">
          <NumberSetting path="brain.firstTokenTimeoutMs" />
          <NumberSetting path="brain.idleTimeoutMs" />
          <NumberSetting path="brain.connectTimeoutMs" />
          <NumberSetting path="brain.clauseFlushMs" />
        </div>
        <TextSetting path="brain.fallbackLine" />
      </SectionPart>
    </>
  );
}

function CustomBrain({ hasSecret }: { readonly hasSecret: boolean }) {
  const { agent } = useEditor();
  return (
    <>
      <TextSetting
        path="brain.url"
        type="url"
        placeholder="https://example.com/agent"
        hint="Parley POSTs each turn there as JSON; it answers with tokens as server-sent events."
      />
      <SecretSetting
        key={agent.version}
        path="brain.secret"
        hasSecret={hasSecret}
        hint="Signs each request (X-Service-Signature), so that you know it is Parley’s. At least 8 characters; nobody sees it again."
      />
      <JsonSetting path="brain.payload" />
    </>
  );
}

function FlowBrain({ hasSecret }: { readonly hasSecret: boolean }) {
  const { agent } = useEditor();
  return (
    <>
      <p>
        <Link to="/agents/$id/{-$section}" params={{ id: agent.id, section: "flow" }}>
          Open the flow builder
        </Link>
      </p>
      <ModelService hasSecret={hasSecret} />
    </>
  );
}

function ModelBrain({ hasSecret }: { readonly hasSecret: boolean }) {
  return (
    <>
      <LongTextSetting path="brain.prompt" rows={12} />
      <ModelService hasSecret={hasSecret} />
    </>
  );
}

function ModelService({ hasSecret }: { readonly hasSecret: boolean }) {
  const { agent, draft } = useEditor();
  const isMoved = hasSecret && valueAt(draft, "brain.url") !== agent.brain.url;
  return (
    <>
      <div className="agent-grid">
        <TextSetting path="brain.model" />
        <NumberSetting path="brain.temperature" isDecimal />
        <NumberSetting path="brain.maxTokens" />
      </div>
      <TextSetting
        path="brain.url"
        type="url"
        placeholder="https://api.openai.com/v1"
        hint="Of any OpenAI-compatible service, up to its version. Leave empty to use the server’s own."
      />
      <SecretSetting
        key={agent.version}
        path="brain.secret"
        hasSecret={hasSecret}
        hint={
          isMoved
            ? "The address is another now: give its key, or remove the old one. A key is never sent to a new address."
            : "The key of that service. You won’t see it again. Not needed for the server’s own service."
        }
      />
    </>
  );
}
