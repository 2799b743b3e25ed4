import { CodeTabs } from "../../ui/code-tabs.tsx";
import { NODE_SNIPPET, OPENSSL_SNIPPET, PYTHON_SNIPPET } from "./snippets.ts";

const SAMPLES = [
  { name: "Node", label: "Receiver in Node", text: NODE_SNIPPET },
  { name: "Python", label: "Receiver in Python", text: PYTHON_SNIPPET },
  { name: "openssl", label: "Shell", text: OPENSSL_SNIPPET },
] as const;

/** Code a receiver uses to verify deliveries. */
export function VerifyGuide() {
  return (
    <>
      <p className="pf-muted">
        Deliveries are signed as{" "}
        <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
          Standard Webhooks
        </a>{" "}
        defines. Put the endpoint’s signing secret in <code>SIGNING_SECRET</code>.
      </p>
      <CodeTabs label="Language" samples={SAMPLES} />
    </>
  );
}
