import { useEffect, useState } from "react";
import { later } from "./later.ts";

/** How long the pointer rests on something before its tip shows, ms. The next tips show at once. */
const REST_MS = 450;
/** How long the pointer may take to get from one thing, or its tip, to the next, ms. */
const LEAVE_MS = 150;

/** Letters reach out of a tight line by less. */
const HALF_LINE_PX = 8;

const TipBox = later(async () => (await import("./tip-box.tsx")).TipBox);

/**
 * Shows what `data-tip` says of the thing that the pointer rests on or that the keyboard has reached, once for all pages.
 * With `data-tip-cut`, only if there is no room for all of its text. Its code comes with the first tip.
 */
export function Tips() {
  const [on, setOn] = useState<HTMLElement>();
  useEffect(() => {
    const tips = new Tipper(setOn);
    const leave = new AbortController();
    tips.listen(leave.signal);
    return () => leave.abort();
  }, []);
  const text = on?.dataset.tip;
  if (!on || !text) return null;
  return <TipBox key={text} on={on} text={text} />;
}

/** Follows the pointer and the focus over all that has a tip. */
class Tipper {
  readonly #show: (on: HTMLElement | undefined) => void;
  #on: HTMLElement | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(show: (on: HTMLElement | undefined) => void) {
    this.#show = show;
  }

  /** @param signal ends it */
  listen(signal: AbortSignal): void {
    const hear = <T extends keyof DocumentEventMap>(type: T, deed: (event: DocumentEventMap[T]) => void) =>
      document.addEventListener(type, deed, { signal, passive: true, capture: true });
    hear("pointerover", (event) => this.#point(event));
    hear("focusin", ({ target }) => this.#focus(target));
    hear("focusout", () => this.#set(undefined));
    hear("pointerdown", () => this.#set(undefined));
    hear("scroll", () => this.#set(undefined));
    hear("keydown", ({ key }) => key === "Escape" && this.#set(undefined));
    signal.addEventListener("abort", () => clearTimeout(this.#waiting));
  }

  #point({ target, pointerType }: PointerEvent): void {
    // A finger has no way to rest on something without pressing it.
    if (pointerType === "touch") return;
    const on = tipped(target);
    if (on) void TipBox.preload();
    if (on === this.#on || isTip(target)) clearTimeout(this.#waiting);
    else this.#after(this.#on ? LEAVE_MS : REST_MS, on);
  }

  #focus(target: EventTarget | null): void {
    if (target instanceof Element && target.matches(":focus-visible")) this.#set(tipped(target));
  }

  #after(ms: number, on: HTMLElement | undefined): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => this.#set(on), ms);
  }

  #set(on: HTMLElement | undefined): void {
    clearTimeout(this.#waiting);
    this.#on = on?.isConnected ? on : undefined;
    this.#show(this.#on);
  }
}

/** The element around a place that has something to tell. */
function tipped(at: EventTarget | null): HTMLElement | undefined {
  const on = at instanceof Element ? at.closest<HTMLElement>("[data-tip]") : null;
  return on && (on.dataset.tipCut === undefined || isCut(on)) ? on : undefined;
}

function isCut(on: HTMLElement): boolean {
  return [on, ...on.querySelectorAll<HTMLElement>("*")].some(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      clientWidth > 0 && (scrollWidth > clientWidth || scrollHeight > clientHeight + HALF_LINE_PX),
  );
}

function isTip(at: EventTarget | null): boolean {
  return at instanceof Element && at.closest("[role=tooltip]") !== null;
}
