import { useLayoutEffect } from "react";
import type { DialogBoxProps } from "./dialog-box.tsx";
import { later } from "./later.ts";

const DialogBox = later(async () => (await import("./dialog-box.tsx")).DialogBox);

/** Loads the code of dialogs before the first one opens, where someone types into it right after the key that opens it. */
export const preloadDialog = (): void => void DialogBox.preload();

/** A modal dialog, which traps the focus, closes on Escape and gives the focus back. Its code comes with the first one. */
export function Dialog(props: DialogBoxProps) {
  useFocusBack();
  return <DialogBox {...props} />;
}

/** Once unmounted, returns the focus to where it was: a keyboard user must not start at the top. */
export function useFocusBack(): void {
  useLayoutEffect(() => {
    const origin = document.activeElement;
    return () => {
      focusOn(origin);
      // The origin may be removed in the same step, after this.
      queueMicrotask(() => document.activeElement === document.body && focusOn(null));
    };
  }, []);
}

/** Focuses the page's heading if the element is gone. */
function focusOn(to: Element | null): void {
  const target = to?.isConnected ? to : document.querySelector("main h1");
  if (target instanceof HTMLElement) target.focus();
}
