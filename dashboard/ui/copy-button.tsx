import { useState } from "react";

/** Copies a text to the clipboard; `label` names it. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const [copied, setCopied] = useState<string>();
  const isCopied = copied === text;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).then(
      () => setCopied(text),
      // Without permission, the text can still be selected by hand.
      () => setCopied(undefined),
    );
  };
  return (
    <>
      <button type="button" className="pf-btn" onClick={() => void copy()}>
        {isCopied ? "Copied" : "Copy"}
        <span className="only-heard"> {label}</span>
      </button>
      <span className="only-heard" role="status">
        {isCopied ? `${label} copied` : ""}
      </span>
    </>
  );
}
