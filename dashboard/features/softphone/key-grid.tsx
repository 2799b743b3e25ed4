import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";

const KEYS = [
  ["1", ""],
  ["2", "ABC"],
  ["3", "DEF"],
  ["4", "GHI"],
  ["5", "JKL"],
  ["6", "MNO"],
  ["7", "PQRS"],
  ["8", "TUV"],
  ["9", "WXYZ"],
  ["*", ""],
  ["0", "+"],
  ["#", ""],
] as const satisfies (readonly [DtmfDigit, string])[];
const SPOKEN: Partial<Record<DtmfDigit, string>> = { "*": "star", "#": "hash" };

interface KeyGridProps {
  readonly label: string;
  readonly onPress: (digit: DtmfDigit) => void;
}

/** The twelve keys of a telephone. */
export function KeyGrid({ label, onPress }: KeyGridProps) {
  return (
    <fieldset className="phone-keys">
      <legend className="only-heard">{label}</legend>
      {KEYS.map(([digit, letters]) => (
        <button
          key={digit}
          type="button"
          className="pf-btn"
          aria-label={SPOKEN[digit]}
          onClick={() => onPress(digit)}
        >
          <span>{digit}</span>
          <small>{letters}</small>
        </button>
      ))}
    </fieldset>
  );
}
