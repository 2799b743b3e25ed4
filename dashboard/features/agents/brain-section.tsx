import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { draftOf } from "./agent-draft.ts";
import { NEW_MODEL } from "./agent-templates.ts";
import { valueAt } from "./json-at.ts";
import { JsonSetting } from "./json-setting.tsx";
import { SecretSetting } from "./secret-setting.tsx";
import { SectionPart } from "./section-part.tsx";
import { LongTextSetting, NumberSetting, TextSetting } from "./settings-fields.tsx";
import { ToolList } from "./tool-list.tsx";
import { useEditor } from "./use-editor.tsx";

const KINDS = [
  { value: "model", name: "A model with a prompt" },
  { value: "custom", name: "An endpoint of your own" },
] as const;
type Kind = (typeof KINDS)[number]["value"];

/** Settings of both kinds, which a brain of the other kind takes over. */
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
  const kind: Kind = valueAt(draft, "brain.kind") === "model" ? "model" : "custom";
  const saved = draftOf(agent).brain;
  const choose = (wanted: Kind): void => {
    if (wanted === kind) return;
    const wasSaved = isObject(saved) && saved.kind === wanted;
    const manners = MANNERS.map((name) => [name, valueAt(draft, `brain.${name}`)] as const);
    const blank = wanted === "model" ? NEW_MODEL : { kind: "custom", payload: {} };
    // Back to the kind that is saved brings what is saved.
    set("brain", wasSaved ? saved : { ...Object.fromEntries(manners), ...blank });
  };
  const hasSecret = agent.brain.hasSecret && isObject(saved) && saved.kind === kind;
  return (
    <>
      <SectionPart title="Agent">
        <TextSetting path="name" />
      </SectionPart>
      <SectionPart title="Brain" lead="It gets what the caller said and answers with what the agent says.">
        <ChoiceBar label="Kind of brain" options={KINDS} chosen={kind} onChoose={choose} />
        {kind === "model" ? <ModelBrain hasSecret={hasSecret} /> : <CustomBrain hasSecret={hasSecret} />}
      </SectionPart>
      {kind === "model" && <ToolList />}
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

function ModelBrain({ hasSecret }: { readonly hasSecret: boolean }) {
  const { agent, draft } = useEditor();
  const isMoved = hasSecret && valueAt(draft, "brain.url") !== agent.brain.url;
  return (
    <>
      <LongTextSetting path="brain.prompt" rows={12} />
      <div className="agent-grid">
        <TextSetting path="brain.model" />
        <NumberSetting path="brain.temperature" isDecimal />
        <NumberSetting path="brain.maxTokens" />
      </div>
      <TextSetting
        path="brain.url"
        type="url"
        placeholder="https://api.openai.com/v1"
        hint="Of any OpenAI-compatible service, up to its version. Empty takes the one of this Parley’s operator."
      />
      <SecretSetting
        key={agent.version}
        path="brain.secret"
        hasSecret={hasSecret}
        hint={
          isMoved
            ? "The address is another now: give its key, or remove the old one. A key is never sent to a new address."
            : "The key of that service. Nobody sees it again. Not needed at the operator’s own address."
        }
      />
    </>
  );
}
