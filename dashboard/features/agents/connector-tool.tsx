import { Link } from "@tanstack/react-router";
import { argumentsOf } from "../integrations/argument-list.ts";
import { useCapabilities, useConnections, useConnectors } from "../integrations/integrations-api.ts";
import { toolNameOf } from "../integrations/tool-name.ts";
import { BindSetting, ConfirmSetting, TryButton } from "./bind-setting.tsx";
import { valueAt } from "./json-at.ts";
import { SettingFrame } from "./setting-frame.tsx";
import { LongTextSetting, NumberSetting, TextSetting } from "./settings-fields.tsx";
import { useEditor } from "./use-editor.tsx";

interface ConnectorToolProps {
  readonly path: string;
  readonly name: string;
}

/** A tool that acts in a connected system: what it does, where, and what is fixed. */
export function ConnectorTool({ path, name }: ConnectorToolProps) {
  const { draft, mayChange } = useEditor();
  const { data: capabilities = [] } = useCapabilities();
  const capability = valueAt(draft, `${path}.capability`);
  const known = capabilities.find((one) => one.capability === capability);
  const given = argumentsOf(known?.arguments ?? {});
  const isWrite = known?.isWrite ?? true;
  return (
    <>
      <div className="agent-grid">
        <CapabilityChoice path={path} name={name} />
        <ConnectionChoice path={path} name={name} providerIds={known?.providerIds ?? []} />
        <TextSetting path={`${path}.name`} of={name} />
        <ConfirmSetting path={path} name={name} isWrite={isWrite} />
      </div>
      <LongTextSetting
        path={`${path}.description`}
        rows={2}
        of={name}
        hint={known ? `Leave empty to tell the model: “${known.description}”` : undefined}
      />
      <BindSetting key={String(capability)} path={path} name={name} given={given} />
      <div className="agent-grid">
        <NumberSetting path={`${path}.timeoutMs`} of={name} />
      </div>
      {mayChange && <TryButton path={path} name={name} given={given} isWrite={isWrite} />}
    </>
  );
}

/** Chooses the action; those of connected accounts come first. */
function CapabilityChoice({ path, name }: ConnectorToolProps) {
  const { draft, set } = useEditor();
  const { data: capabilities = [] } = useCapabilities();
  const { data: connections = [] } = useConnections();
  const chosen = String(valueAt(draft, `${path}.capability`) ?? "");
  const isConnected = (providerIds: readonly string[]): boolean =>
    connections.some(({ providerId }) => providerIds.includes(providerId));
  const groups = [
    ["Connected", capabilities.filter(({ providerIds }) => isConnected(providerIds))],
    ["Not connected yet", capabilities.filter(({ providerIds }) => !isConnected(providerIds))],
  ] as const;
  const choose = (capability: string): void => {
    const tool = valueAt(draft, path);
    const { connectionId: _, ...rest } = tool as Readonly<Record<string, unknown>>;
    const isNamedSo = valueAt(draft, `${path}.name`) === toolNameOf(chosen);
    // Fixed arguments and the connection belong to the previous action.
    set(path, { ...rest, capability, bind: {}, ...(isNamedSo ? { name: toolNameOf(capability) } : {}) });
  };
  return (
    <SettingFrame path={`${path}.capability`} of={name}>
      {(input) => (
        <select
          {...input}
          className="pf-select"
          value={chosen}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {!capabilities.some(({ capability }) => capability === chosen) && <option>{chosen}</option>}
          {groups.map(
            ([label, entries]) =>
              entries.length > 0 && (
                <optgroup key={label} label={label}>
                  {entries.map(({ capability, name: title }) => (
                    <option key={capability} value={capability}>
                      {title}
                    </option>
                  ))}
                </optgroup>
              ),
          )}
        </select>
      )}
    </SettingFrame>
  );
}

interface ConnectionChoiceProps extends ConnectorToolProps {
  /** Connectors that support the action. */
  readonly providerIds: readonly string[];
}

/** Chooses the account to act in. */
function ConnectionChoice({ path, name, providerIds }: ConnectionChoiceProps) {
  const { draft, set } = useEditor();
  const { data: connections } = useConnections();
  const { data: providers = [] } = useConnectors();
  const chosen = String(valueAt(draft, `${path}.connectionId`) ?? "");
  const able = (connections ?? []).filter(({ providerId }) => providerIds.includes(providerId));
  const names = providers
    .filter(({ providerId }) => providerIds.includes(providerId))
    .map((provider) => provider.name);
  const isMissing = connections !== undefined && providerIds.length > 0 && able.length === 0;
  return (
    <SettingFrame
      path={`${path}.connectionId`}
      of={name}
      hint={
        isMissing ? (
          <>
            No account is connected that can do this. <Link to="/integrations/catalog">Connect one</Link>:{" "}
            {names.join(", ")}.
          </>
        ) : undefined
      }
    >
      {(input) => (
        <select
          {...input}
          className="pf-select"
          value={chosen}
          onChange={({ currentTarget: { value } }) =>
            set(`${path}.connectionId`, value === "" ? undefined : value)
          }
        >
          <option value="">The newest one that works</option>
          {able.map(({ id, label, status }) => (
            <option key={id} value={id}>
              {label}
              {status === "active" ? "" : " (needs attention)"}
            </option>
          ))}
          {chosen !== "" && !able.some(({ id }) => id === chosen) && <option value={chosen}>{chosen}</option>}
        </select>
      )}
    </SettingFrame>
  );
}
