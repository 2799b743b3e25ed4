import { useState } from "react";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { NODE_SNIPPET, OPENSSL_SNIPPET, PYTHON_SNIPPET } from "./snippets.ts";

const WAYS = [
  { value: "node", name: "Node" },
  { value: "python", name: "Python" },
  { value: "openssl", name: "openssl" },
] as const;
const SNIPPETS = {
  node: { label: "Receiver in Node", text: NODE_SNIPPET },
  python: { label: "Receiver in Python", text: PYTHON_SNIPPET },
  openssl: { label: "Shell", text: OPENSSL_SNIPPET },
} as const;

/** Code a receiver uses to verify deliveries. */
export function VerifyGuide() {
  const [way, choose] = useState<keyof typeof SNIPPETS>("node");
  return (
    <>
      <p className="pf-muted">
        Deliveries are signed as{" "}
        <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
          Standard Webhooks
        </a>{" "}
        defines. Put the endpoint’s signing secret in <code>SIGNING_SECRET</code>.
      </p>
      <ChoiceBar label="Language" options={WAYS} chosen={way} onChoose={choose} />
      <CodeBlock key={way} {...SNIPPETS[way]} />
    </>
  );
}
