import type { CallRecord } from "@parley/shared/contracts/calls.ts";
import { CodeBlock } from "../../ui/code-block.tsx";

/** The tools the agent called. */
export function CallTools({ tools }: { readonly tools: CallRecord["tools"] }) {
  return (
    <section className="pf-card panel" aria-labelledby="tools-title">
      <h2 id="tools-title">Tools</h2>
      {tools.map((tool, index) => (
        <details key={`${tool.at}-${String(index)}`}>
          <summary>
            <code>{tool.name}</code> in turn {tool.turn}: {tool.status} after {tool.latencyMs} ms
          </summary>
          <CodeBlock label="Arguments" text={JSON.stringify(tool.arguments, null, 2)} />
          <CodeBlock label="Result" text={JSON.stringify(tool.result, null, 2)} />
        </details>
      ))}
    </section>
  );
}
