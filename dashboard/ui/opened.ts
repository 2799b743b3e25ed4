import { type RefObject, useEffectEvent, useLayoutEffect } from "react";
import type { OpenedProps } from "./opener.tsx";

/** Below what opened it, from its left edge on; elsewhere if there is no room. */
export function placeOf(anchor: OpenedProps["button"] | HTMLElement) {
  return {
    anchor,
    align: "start",
    sideOffset: 4,
    collisionPadding: 8,
    // Not cut off by what the anchor is in, such as the sidebar.
    positionMethod: "fixed",
    className: "menu-place",
  } as const;
}

interface Change {
  readonly reason: string;
  readonly event: Event;
}

/** Closes what a button opened, unless the button itself was pressed: that does so already. */
export function closerOf({ button, onClose }: Pick<OpenedProps, "button" | "onClose">) {
  return (_isOpen: boolean, { event }: Change): void => {
    const at = event instanceof FocusEvent ? event.relatedTarget : event.target;
    const isKey = event instanceof KeyboardEvent;
    if (isKey || !(at instanceof Node && button.current?.contains(at))) onClose();
  };
}

/**
 * Moves the focus into what opened, and back to the button unless a press elsewhere moved it. Base UI would do both a frame
 * later, when the next key has gone elsewhere.
 */
export function useFocusInside(
  box: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  first: (opened: HTMLElement) => HTMLElement,
): void {
  const focusFirst = useEffectEvent((opened: HTMLElement) => first(opened).focus());
  useLayoutEffect(() => {
    const [opened, origin] = [box.current, button.current];
    if (opened) focusFirst(opened);
    return () => {
      const { activeElement } = document;
      if (activeElement === document.body || opened?.contains(activeElement)) origin?.focus();
    };
  }, [box, button]);
}
