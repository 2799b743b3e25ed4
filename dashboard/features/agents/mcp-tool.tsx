import type { McpConnection } from "@parley/shared/contracts/mcp.ts";
import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { Link } from "@tanstack/react-router";
import { LoadProblem } from "../../ui/loaded.tsx";
import { argumentsOf } from "../integrations/argument-list.ts";
import { useMcpConnections, useMcpTools } from "../integrations/mcp-api.ts";
import { toolNameOf } from "../integrations/tool-name.ts";
import { BindSetting, ConfirmSetting, TryButton } from "./bind-setting.tsx";
import { valueAt } from "./json-at.ts";
import { SettingFrame } from "./setting-frame.tsx";
import { LongTextSetting, NumberSetting, TextSetting } from "./settings-fields.tsx";
import { useEditor } from "./use-editor.tsx";

interface McpToolProps {
  readonly path: string;
  readonly name: string;
}

/** A tool of a remote server: which server, which tool, and what is fixed. */
export function McpToolFields({ path, name }: McpToolProps) {
  const { draft, set } = useEditor();
  const { data: connections = [] } = useMcpConnections();
  const config = valueAt(draft, `${path}.config`);
  const { mcpConnectionId, url } = isObject(config) ? config : {};
  const connection = connections.find(({ id }) => id === mcpConnectionId);
  return (
    <>
      {url === undefined ? (
        <SettingFrame
          path={`${path}.config.mcpConnectionId`}
          of={name}
          hint={
            connections.length === 0 ? (
              <>
                Nobody has signed in to a tool server. <Link to="/integrations/servers">Add one</Link>.
              </>
            ) : undefined
          }
        >
          {(input) => (
            <select
              {...input}
              className="pf-select"
              value={String(mcpConnectionId ?? "")}
              onChange={({ currentTarget: { value } }) => set(`${path}.config`, { mcpConnectionId: value })}
            >
              {!connection && <option value={String(mcpConnectionId ?? "")}>Choose a server</option>}
              {connections.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </SettingFrame>
      ) : (
        <TextSetting path={`${path}.config.url`} of={name} type="url" />
      )}
      {connection && <ServerTool path={path} name={name} connection={connection} />}
      <div className="agent-grid">
        <TextSetting path={`${path}.name`} of={name} />
        <NumberSetting path={`${path}.timeoutMs`} of={name} />
      </div>
      <LongTextSetting
        path={`${path}.description`}
        rows={2}
        of={name}
        hint="Leave empty to tell the model the server’s own words."
      />
    </>
  );
}

interface ServerToolProps extends McpToolProps {
  readonly connection: McpConnection;
}

/** The server's tools, to choose from and to try. */
function ServerTool({ path, name, connection: { id, url } }: ServerToolProps) {
  const { draft, set, mayChange } = useEditor();
  const loaded = useMcpTools({ url, mcpConnectionId: id });
  const found = loaded.data;
  const tools = found && !found.needsAuth ? found.tools : [];
  const chosen = String(valueAt(draft, `${path}.config.tool`) ?? "");
  const known = tools.find((tool) => tool.name === chosen);
  const given = argumentsOf(known?.inputSchema ?? {});
  const isWrite = known?.readOnly !== true;
  const choose = (tool: string): void => {
    const before = valueAt(draft, path) as Readonly<Record<string, unknown>>;
    set(path, { ...before, name: toolNameOf(tool), bind: {}, config: { mcpConnectionId: id, tool } });
  };
  return (
    <>
      <LoadProblem of={loaded} />
      <div className="agent-grid">
        <SettingFrame path={`${path}.config.tool`} of={name}>
          {(input) => (
            <select
              {...input}
              className="pf-select"
              value={chosen}
              onChange={({ currentTarget }) => choose(currentTarget.value)}
            >
              {!known && <option value={chosen}>{chosen === "" ? "Choose a tool" : chosen}</option>}
              {tools.map((tool) => (
                <option key={tool.name} value={tool.name}>
                  {tool.title ?? tool.name}
                </option>
              ))}
            </select>
          )}
        </SettingFrame>
        <ConfirmSetting path={path} name={name} isWrite={isWrite} />
      </div>
      {known && (
        <>
          <p className="server-words pf-muted">{known.description}</p>
          <BindSetting key={chosen} path={path} name={name} given={given} />
          {mayChange && <TryButton path={path} name={name} given={given} isWrite={isWrite} />}
        </>
      )}
    </>
  );
}
