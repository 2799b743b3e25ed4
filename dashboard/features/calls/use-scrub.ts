import { type RefObject, useEffect } from "react";

/** A press that moves by less is no drag. */
const DRAG_PX = 4;

/**
 * Presses on the lanes, and drags of a mouse over them, move the cursor; a press on something goes to where it
 * begins.
 */
export function useScrub(
  lanes: RefObject<HTMLElement | null>,
  lengthSecs: number,
  onSeek: ((secs: number) => void) | undefined,
): void {
  useEffect(() => {
    const element = lanes.current;
    if (!element || !onSeek) return;
    let fromX = 0;
    let isDragged = false;
    const secsAt = ({ clientX }: MouseEvent): number => {
      const { left, width } = element.getBoundingClientRect();
      return Math.min(1, Math.max(0, (clientX - left) / width)) * lengthSecs;
    };
    const onDown = ({ clientX }: PointerEvent): void => {
      fromX = clientX;
      isDragged = false;
    };
    const onMove = (event: PointerEvent): void => {
      if (event.pointerType !== "mouse" || event.buttons !== 1) return;
      isDragged ||= Math.abs(event.clientX - fromX) > DRAG_PX;
      if (isDragged) onSeek(secsAt(event));
    };
    const onClick = (event: MouseEvent): void => {
      if (isDragged || !(event.target instanceof Element)) return;
      const at = event.target.closest<HTMLElement>("[data-at]")?.dataset.at;
      onSeek(at === undefined ? secsAt(event) : Number(at));
    };
    element.addEventListener("pointerdown", onDown);
    element.addEventListener("pointermove", onMove);
    element.addEventListener("click", onClick);
    return () => {
      element.removeEventListener("pointerdown", onDown);
      element.removeEventListener("pointermove", onMove);
      element.removeEventListener("click", onClick);
    };
  }, [lanes, lengthSecs, onSeek]);
}
