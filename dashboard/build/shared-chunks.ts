import { resolve } from "node:path";
import type { Rolldown } from "vite";
import { FOR_VISITORS, type Modules, reached, START } from "./first-chunks.ts";

const DASHBOARD = resolve(import.meta.dirname, "..");
const PAGES = resolve(DASHBOARD, "app/pages.ts");
const TABLE_PARTS = resolve(DASHBOARD, "ui/table");
const TABLE = resolve(TABLE_PARTS, "data-table.tsx");
/** What fewer pages have in common stays by itself: the others would load it for nothing. */
const SHARED_BY = 8;

/**
 * Puts what many pages have in common into two chunks, the table and the rest, where a page had up to a dozen of a few hundred
 * bytes: each costs a slow machine milliseconds before anything is shown.
 */
export function sharedChunks(): Rolldown.CodeSplittingGroup {
  let known: { readonly table: ReadonlySet<string>; readonly parts: ReadonlySet<string> } | undefined;
  return {
    debugName: "shared chunks",
    name: (id, modules) => {
      known ??= sharedIn(modules);
      if (known.table.has(id)) return "table";
      return known.parts.has(id) ? "parts" : null;
    },
  };
}

function sharedIn(modules: Modules) {
  const statically = (from: readonly string[]) => reached(from, modules, ({ importedIds }) => importedIds);
  const first = statically([START]);
  const ofTable = statically([TABLE]);
  const visitors = reached(FOR_VISITORS, modules, ({ importedIds, dynamicallyImportedIds }) => [
    ...importedIds,
    ...dynamicallyImportedIds,
  ]);
  const pages = modules.getModuleInfo(PAGES)?.dynamicallyImportedIds ?? [];
  const pagesWith = new Map<string, Set<string>>();
  for (const page of pages)
    for (const id of statically([page])) pagesWith.set(id, (pagesWith.get(id) ?? new Set()).add(page));
  const withTable = pagesWith.get(TABLE) ?? new Set();
  const shared = [...pagesWith].filter(
    ([id, each]) => each.size >= SHARED_BY && !first.has(id) && !visitors.has(id),
  );
  const [table, parts] = [new Set<string>(), new Set<string>()];
  const isOfTable = (id: string, each: ReadonlySet<string>): boolean =>
    id.startsWith(TABLE_PARTS) || (ofTable.has(id) && [...each].every((page) => withTable.has(page)));
  for (const [id, each] of shared) (isOfTable(id, each) ? table : parts).add(id);
  return { table, parts };
}
