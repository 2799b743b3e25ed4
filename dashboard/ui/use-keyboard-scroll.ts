import { type RefObject, useLayoutEffect, useRef } from "react";

/** Makes an element keyboard-focusable while it can scroll: from its first paint on, not from the observer's first report. */
export function useKeyboardScroll<T extends HTMLElement>(): RefObject<T | null> {
  const scrolled = useRef<T>(null);
  useLayoutEffect(() => {
    const element = scrolled.current;
    if (!element) return;
    const mark = (): void => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      if (scrollWidth > clientWidth || scrollHeight > clientHeight) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
    };
    mark();
    const watcher = new ResizeObserver(mark);
    watcher.observe(element);
    for (const child of element.children) watcher.observe(child);
    return () => watcher.disconnect();
  }, []);
  return scrolled;
}
