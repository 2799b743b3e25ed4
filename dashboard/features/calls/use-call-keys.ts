import { useEffect } from "react";

const TURNS: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1 };
const LINES: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };
/** Parts that use these keys themselves. */
const TYPED_IN = "input:not([type=range]), textarea, select, [contenteditable]";
/** Elsewhere arrows scroll. */
const STEPPED_BY_ARROWS = ".call-talk, .call-axis";
const PRESSED_BY_SPACE = "a, button, summary";

interface CallKeys {
  /** Goes on or back by a turn, or a line. */
  readonly onTurn: (step: 1 | -1) => void;
  readonly onLine: (step: 1 | -1) => void;
  /** Plays or pauses; absent when nothing can be played. */
  readonly onToggle: (() => void) | undefined;
}

/** Keys of a call's page: J and K go by turn, Space plays. Arrows go by line in the transcript and on the axis. */
export function useCallKeys({ onTurn, onLine, onToggle }: CallKeys): void {
  useEffect(() => {
    const act = (key: string, target: HTMLElement): boolean => {
      const turns = TURNS[key];
      const lines = LINES[key];
      if (turns !== undefined) onTurn(turns);
      else if (lines !== undefined && target.closest(STEPPED_BY_ARROWS) && !target.matches("input"))
        onLine(lines);
      // The transcript's buttons answer to Enter.
      else if (key === " " && onToggle && !(target.closest(PRESSED_BY_SPACE) && !target.closest("[data-at]")))
        onToggle();
      else return false;
      return true;
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { target, key } = event;
      if (
        !(target instanceof HTMLElement) ||
        target.matches(TYPED_IN) ||
        target.closest("[role=dialog], [role=menu]")
      )
        return;
      if (act(key, target)) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onTurn, onLine, onToggle]);
}
