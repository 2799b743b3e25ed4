import { CodeBlock } from "../../ui/code-block.tsx";
import { LISTEN_COMMAND } from "./snippets.ts";

/** How to receive events without a publicly reachable address. */
export function ListenHint() {
  return (
    <div className="stack">
      <p>
        Forward events to your own machine while you develop. The command prints a signing secret. It needs an
        API key in <code>PARLEY_API_KEY</code>, except for the demo.
      </p>
      <CodeBlock label="Terminal" text={LISTEN_COMMAND} />
    </div>
  );
}
