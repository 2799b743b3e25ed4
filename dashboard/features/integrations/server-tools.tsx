import type { McpTool, VerifiedMcp } from "@parley/shared/contracts/mcp.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { type Argument, argumentsOf } from "./argument-list.ts";
import type { McpServerRef } from "./mcp-api.ts";
import { toolNameOf } from "./tool-name.ts";
import { TryToolDialog } from "./try-tool-dialog.tsx";

interface ServerToolsProps {
  readonly found: VerifiedMcp;
  readonly at: McpServerRef;
}

/** What a server offers. All texts are the server's own, shown as plain text. */
export function ServerTools({ found: { server, tools, skipped }, at }: ServerToolsProps) {
  const { name, version, protocolVersion } = server;
  const facts = [
    [name, version].filter(Boolean).join(" "),
    protocolVersion === null ? "" : `MCP ${protocolVersion}`,
  ].filter((text) => text !== "");
  return (
    <>
      {facts.length > 0 && <p className="pf-muted">{facts.join(" · ")}</p>}
      <section className="pf-card panel" aria-labelledby="tools-title">
        <h2 id="tools-title">
          {tools.length} {tools.length === 1 ? "tool" : "tools"}
        </h2>
        {tools.length === 0 && <p>This server offers no tools.</p>}
        {tools.length > 0 && (
          <ul className="server-tools">
            {tools.map((tool) => (
              <li key={tool.name}>
                <ServerTool tool={tool} at={at} />
              </li>
            ))}
          </ul>
        )}
      </section>
      {skipped.length > 0 && (
        <section className="pf-card panel" aria-labelledby="skipped-title">
          <h2 id="skipped-title">Tools that can’t be used</h2>
          <ul className="capability-list">
            {skipped.map(({ name: tool, reason }) => (
              <li key={tool}>
                <code>{tool}</code> <span className="pf-muted">{reason}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface ServerToolProps {
  readonly tool: McpTool;
  readonly at: McpServerRef;
}

function ServerTool({ tool, at }: ServerToolProps) {
  const { org } = useHere();
  const [isTrying, setTrying] = useState(false);
  const { name, title, description, inputSchema, readOnly } = tool;
  // An unsaved token only allows looking.
  const mayTry = isAtLeast(org.role, "developer") && at.token === undefined;
  const given = argumentsOf(inputSchema);
  return (
    <details className="server-tool">
      <summary>
        <code>{name}</code> {title && <span>{title}</span>}{" "}
        <span className="pf-badge">{readOnly ? "Reads" : "May change something"}</span>
      </summary>
      {description !== "" && <p className="server-words">{description}</p>}
      {given.length === 0 ? (
        <p className="pf-muted">Takes no arguments.</p>
      ) : (
        <dl className="hook-facts connection-facts">
          {given.map((argument) => (
            <div key={argument.name}>
              <dt>
                <code>{argument.name}</code> {argument.isRequired ? "required" : "optional"}
              </dt>
              <dd>{[typeText(argument), argument.description].filter(Boolean).join(": ")}</dd>
            </div>
          ))}
        </dl>
      )}
      {mayTry && (
        <button type="button" className="pf-btn" onClick={() => setTrying(true)}>
          Try it<span className="only-heard"> {name}</span>
        </button>
      )}
      {isTrying && (
        <TryToolDialog
          tool={settingsOf(name, at)}
          name={name}
          given={given}
          isWrite={!readOnly}
          onClose={() => setTrying(false)}
        />
      )}
    </details>
  );
}

/** The tool as an agent's settings would hold it. */
function settingsOf(tool: string, { url, mcpConnectionId }: McpServerRef): Readonly<Record<string, unknown>> {
  const server = mcpConnectionId === undefined ? { url } : { mcpConnectionId };
  return { kind: "mcp", name: toolNameOf(tool), config: { ...server, tool } };
}

const TYPES: Readonly<Record<Argument["type"], string>> = {
  text: "Text",
  number: "Number",
  "yes or no": "Yes or no",
  choice: "One of",
  json: "JSON",
};

function typeText({ type, options }: Argument): string {
  return options.length === 0 ? TYPES[type] : `${TYPES[type]} ${options.join(", ")}`;
}
