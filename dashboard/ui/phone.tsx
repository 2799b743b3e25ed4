import { phoneText } from "./phone-text.ts";

/** A phone number, in one line; other text, such as a contact's id, takes two lines at most. */
export function Phone({ number }: { readonly number: string }) {
  if (number.startsWith("+")) return <span className="one-line">{phoneText(number)}</span>;
  return (
    <span className="cell-id" data-tip={number} data-tip-cut>
      {number}
    </span>
  );
}
