import { useRef } from "react";
import { useSearchParams } from "../use-search-params.ts";

interface CursorPagerProps {
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/** Pages through a cursor-based list; the page's address holds the cursor as `before`. */
export function CursorPager({ next }: CursorPagerProps) {
  const [params, setParams] = useSearchParams();
  const before = params.get("before") ?? "";
  /** Pages turned from here; none when the address came from someone else. */
  const turned = useRef<{ readonly at: string; readonly from: string }[]>([]);
  if (before === "" && next === null) return null;
  const last = turned.current.at(-1);
  const turnTo = (cursor: string): void =>
    setParams((now) => {
      const after = new URLSearchParams(now);
      if (cursor === "") after.delete("before");
      else after.set("before", cursor);
      return after;
    });
  return (
    <nav className="row data-table-pager" aria-label="Pages of the list">
      {before !== "" && (
        <button type="button" className="pf-btn" onClick={() => turnTo("")}>
          Newest
        </button>
      )}
      {last?.at === before && last.from !== "" && (
        <button
          type="button"
          className="pf-btn"
          onClick={() => {
            turned.current.pop();
            turnTo(last.from);
          }}
        >
          Newer
        </button>
      )}
      {next !== null && (
        <button
          type="button"
          className="pf-btn"
          onClick={() => {
            turned.current.push({ at: next, from: before });
            turnTo(next);
          }}
        >
          Older
        </button>
      )}
    </nav>
  );
}

interface OffsetPagerProps {
  readonly pageSize: number;
  /** Length of the whole list; undefined until loaded. */
  readonly total: number | undefined;
}

/** Where a list read by `offset` begins; the page's address holds it. */
export function offsetIn(params: URLSearchParams): number {
  return Math.max(0, Math.trunc(Number(params.get("offset")) || 0));
}

/** Pages through a list of known length; the page's address holds the place as `offset`. */
export function OffsetPager({ pageSize, total }: OffsetPagerProps) {
  const [params, setParams] = useSearchParams();
  const offset = offsetIn(params);
  if (total === undefined || (total <= pageSize && offset === 0)) return null;
  const turnTo = (to: number): void =>
    setParams((now) => {
      const after = new URLSearchParams(now);
      if (to <= 0) after.delete("offset");
      else after.set("offset", String(to));
      return after;
    });
  return (
    <nav className="row data-table-pager" aria-label="Pages of the list">
      {offset < total && (
        <p className="pf-muted">
          {offset + 1} to {Math.min(offset + pageSize, total)} of {total.toLocaleString()}
        </p>
      )}
      {offset > 0 && (
        <button type="button" className="pf-btn" onClick={() => turnTo(offset - pageSize)}>
          Newer
        </button>
      )}
      {offset + pageSize < total && (
        <button type="button" className="pf-btn" onClick={() => turnTo(offset + pageSize)}>
          Older
        </button>
      )}
    </nav>
  );
}
