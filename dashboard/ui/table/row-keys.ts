import { type RefObject, useEffect, useRef } from "react";

const OWN = "a, button, input, select, textarea, label, summary";
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/**
 * Keyboard navigation by row: arrows or J and K move between rows' links, Home and End jump to the ends, X
 * selects. A press anywhere on a row follows its link.
 */
export function useRowKeys(): RefObject<HTMLTableSectionElement | null> {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const rows = body.current;
    if (!rows) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
      if (event.target.matches("select, textarea, input:not([type=checkbox])")) return;
      const row = event.target.closest("tr");
      if (row && act(rows, row, event.key)) event.preventDefault();
    };
    const onClick = (event: MouseEvent): void => {
      if (!(event.target instanceof Element) || event.target.closest(OWN)) return;
      // Text being selected is meant to be copied.
      if (getSelection()?.isCollapsed === false) return;
      const link = linkOf(event.target.closest("tr"));
      if (link) link.dispatchEvent(new MouseEvent("click", event));
    };
    rows.addEventListener("keydown", onKey);
    rows.addEventListener("click", onClick);
    return () => {
      rows.removeEventListener("keydown", onKey);
      rows.removeEventListener("click", onClick);
    };
  }, []);
  return body;
}

/** Whether the key was handled. */
function act(rows: HTMLElement, row: HTMLTableRowElement, key: string): boolean {
  const all = [...rows.querySelectorAll("tr")];
  const step = STEPS[key];
  if (step !== undefined) return focus(all[all.indexOf(row) + step]);
  if (key === "Home") return focus(all[0]);
  if (key === "End") return focus(all.at(-1));
  if (key !== "x") return false;
  row.querySelector<HTMLInputElement>("input[type=checkbox]")?.click();
  return true;
}

function focus(row: HTMLTableRowElement | undefined): boolean {
  const link = linkOf(row) ?? row?.querySelector<HTMLElement>("a, button, input");
  link?.focus();
  return link !== undefined && link !== null;
}

/** The link or button that opens a row, in the cell that names it. */
function linkOf(row: HTMLTableRowElement | null | undefined): HTMLElement | null {
  return row?.querySelector<HTMLElement>("th :is(a, button)") ?? null;
}
