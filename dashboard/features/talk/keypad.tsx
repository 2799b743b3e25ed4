import { DTMF_DIGITS, type DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import { type KeyboardEvent, useState } from "react";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"] as const satisfies DtmfDigit[];
const SPOKEN: Partial<Record<DtmfDigit, string>> = { "*": "star", "#": "hash" };
/** How many pressed keys are shown. */
const SHOWN_KEYS = 16;

/** A telephone keypad. Digits typed on the keyboard count while it has the focus. */
export function Keypad({ onPress }: { readonly onPress: (digit: DtmfDigit) => void }) {
  const [pressed, setPressed] = useState("");
  const press = (digit: DtmfDigit) => {
    setPressed((before) => (before + digit).slice(-SHOWN_KEYS));
    onPress(digit);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const digit = DTMF_DIGITS.find((key) => key === event.key.toUpperCase());
    if (digit !== undefined) press(digit);
  };
  return (
    <fieldset className="talk-keypad" onKeyDown={onKeyDown}>
      <legend className="only-heard">Telephone keypad</legend>
      <output className="talk-keys-pressed" aria-label="Pressed">
        {pressed || " "}
      </output>
      {KEYS.map((digit) => (
        <button
          key={digit}
          type="button"
          className="pf-btn"
          aria-label={SPOKEN[digit]}
          onClick={() => press(digit)}
        >
          {digit}
        </button>
      ))}
    </fieldset>
  );
}
