import { type RefObject, useEffect, useRef } from "react";

/** Makes an element keyboard-focusable while it can scroll. */
export function useKeyboardScroll<T extends HTMLElement>(): RefObject<T | null> {
  const scrolled = useRef<T>(null);
  useEffect(() => {
    const element = scrolled.current;
    if (!element) return;
    const watcher = new ResizeObserver(() => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      if (scrollWidth > clientWidth || scrollHeight > clientHeight) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
    });
    watcher.observe(element);
    for (const child of element.children) watcher.observe(child);
    return () => watcher.disconnect();
  }, []);
  return scrolled;
}
