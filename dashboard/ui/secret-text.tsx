import { useState } from "react";

/** A secret that is shown once, to be copied. */
export function SecretText({ label, text }: { readonly label: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      // Without the permission it can still be selected by hand.
      () => setCopied(false),
    );
  };
  return (
    <div className="secret">
      <span className="only-heard">{label}:</span>
      <code>{text}</code>
      <button type="button" className="pf-btn" onClick={() => void copy()}>
        {isCopied ? "Copied" : "Copy"}
        <span className="only-heard"> {label}</span>
      </button>
      <span className="only-heard" role="status">
        {isCopied ? `${label} copied` : ""}
      </span>
    </div>
  );
}
