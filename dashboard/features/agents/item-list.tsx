import type { Json } from "@parley/shared/contracts/merge-patch.ts";
import { type ReactNode, useRef } from "react";
import { useEditor } from "./use-editor.tsx";

interface ItemListProps {
  readonly path: string;
  readonly items: readonly Json[];
  readonly nameOf: (item: Json, index: number) => string;
  /** The minimum number of items. */
  readonly least?: number;
  readonly children: (path: string, item: Json, index: number) => ReactNode;
}

/** The items of a list, each with its settings and a remove button. */
export function ItemList({ path, items, nameOf, least = 0, children }: ItemListProps) {
  const { set } = useEditor();
  const list = useRef<HTMLOListElement>(null);
  if (items.length === 0) return null;
  const remove = (index: number): void => {
    set(
      path,
      items.filter((_, at) => at !== index),
    );
    // The focused button is gone.
    list.current?.focus();
  };
  return (
    <ol ref={list} className="agent-items" tabIndex={-1}>
      {items.map((item, index) => (
        // Items have no id: the index is their identity.
        <li key={`${path}.${String(index)}`} className="agent-item">
          <div className="row row-spread">
            <h3>{nameOf(item, index)}</h3>
            {items.length > least && (
              <button type="button" className="pf-btn pf-btn-quiet" onClick={() => remove(index)}>
                Remove<span className="only-heard"> {nameOf(item, index)}</span>
              </button>
            )}
          </div>
          {children(`${path}.${index}`, item, index)}
        </li>
      ))}
    </ol>
  );
}
