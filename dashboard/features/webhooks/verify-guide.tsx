import { useState } from "react";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { NODE_SNIPPET, OPENSSL_SNIPPET } from "./snippets.ts";

const WAYS = [
  { value: "node", name: "Node" },
  { value: "openssl", name: "openssl" },
] as const;
const SNIPPETS = { node: NODE_SNIPPET, openssl: OPENSSL_SNIPPET } as const;

/** What a receiver writes to be sure that a delivery is ours. */
export function VerifyGuide() {
  const [way, choose] = useState<keyof typeof SNIPPETS>("node");
  return (
    <>
      <p className="pf-muted">
        Every delivery is signed with the endpoint’s secret, here in <code>SIGNING_SECRET</code>. Libraries of
        Standard Webhooks verify it too.
      </p>
      <ChoiceBar label="Language" options={WAYS} chosen={way} onChoose={choose} />
      <CodeBlock
        key={way}
        label={way === "node" ? "A receiver in Node" : "In a shell"}
        text={SNIPPETS[way]}
      />
    </>
  );
}
