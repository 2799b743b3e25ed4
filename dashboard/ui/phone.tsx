import { phoneText } from "./phone-text.ts";

/** A phone number, in one line; other text, such as a contact's id, may break. */
export function Phone({ number }: { readonly number: string }) {
  return <span className={number.startsWith("+") ? "one-line" : undefined}>{phoneText(number)}</span>;
}
