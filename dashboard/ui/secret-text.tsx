import { CopyButton } from "./copy-button.tsx";

/** A secret shown once, to be copied. */
export function SecretText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="secret">
      <span className="only-heard">{label}:</span>
      <code>{text}</code>
      <CopyButton label={label} text={text} />
    </div>
  );
}
