import { DTMF_DIGITS, type DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";

/** Time limit for the second Escape: a single one never hangs up. */
const TWICE_WITHIN_MS = 2_000;

interface CallKeys {
  readonly press: (digit: DtmfDigit) => void;
  readonly toggleMute: () => void;
  readonly toggleHold: () => void;
  readonly openTransfer: () => void;
  readonly hangUp: () => void;
}

interface CallKeysState {
  /** For the element that owns the keys: single letters count only while it has the focus. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** Escape was pressed once. */
  readonly isLeaving: boolean;
}

/** Keyboard control of a call: digits are sent, m mutes, h holds, t transfers, Escape twice hangs up. */
export function useCallKeys(keys: CallKeys): CallKeysState {
  const [isLeaving, setLeaving] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const leave = (): void => {
    clearTimeout(timer.current);
    if (isLeaving) {
      keys.hangUp();
      return;
    }
    setLeaving(true);
    timer.current = setTimeout(() => setLeaving(false), TWICE_WITHIN_MS);
  };
  const byLetter: Readonly<Record<string, () => void>> = {
    m: keys.toggleMute,
    h: keys.toggleHold,
    t: keys.openTransfer,
    escape: leave,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
    const key = event.key.toLowerCase();
    const digit = DTMF_DIGITS.find((each) => each === event.key);
    const act = digit === undefined || /[A-D]/.test(digit) ? byLetter[key] : () => keys.press(digit);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return { onKeyDown, isLeaving };
}

function isTyping(target: EventTarget): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [role='dialog']") !== null;
}
