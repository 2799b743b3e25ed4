import type { ColumnVisibilityState } from "@tanstack/react-table";

const keyOf = (name: string): string => `parley-columns-${name}`;

/** Columns of a list that this browser hides. */
export function hiddenColumns(name: string): ColumnVisibilityState {
  const ids = (localStorage.getItem(keyOf(name)) ?? "").split(",").filter((id) => id !== "");
  return Object.fromEntries(ids.map((id) => [id, false]));
}

export function keepHidden(name: string, visibility: ColumnVisibilityState): void {
  const ids = Object.entries(visibility).flatMap(([id, isShown]) => (isShown ? [] : [id]));
  if (ids.length === 0) localStorage.removeItem(keyOf(name));
  else localStorage.setItem(keyOf(name), ids.join(","));
}
