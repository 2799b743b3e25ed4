import type { ReactNode } from "react";
import type { Data } from "../api/use-data.ts";
import { Problem } from "./messages.tsx";

interface LoadedProps<T> {
  readonly of: Data<T>;
  readonly children: (data: T) => ReactNode;
}

/** Shows loaded data; until then a skeleton, or why loading failed, with a way to retry. */
export function Loaded<T>({ of, children }: LoadedProps<T>) {
  return (
    <>
      <LoadProblem of={of} />
      {of.data === undefined ? of.problem === undefined && <Skeleton /> : children(of.data)}
    </>
  );
}

/** Why loading failed, with a way to retry; renders nothing on success. */
export function LoadProblem({
  of: { problem, isLoading, reload },
}: {
  readonly of: Omit<Data<unknown>, "data">;
}) {
  if (problem === undefined) return null;
  return (
    <div className="load-problem">
      <Problem>{problem}</Problem>
      <button type="button" className="pf-btn" aria-disabled={isLoading} onClick={() => void reload()}>
        {isLoading ? "Trying again…" : "Try again"}
      </button>
    </div>
  );
}

const LINES = ["long", "middle", "longer", "short"] as const;

/** A skeleton for data being loaded; visible only when that takes longer than a blink. */
export function Skeleton() {
  return (
    <div className="skeleton" aria-busy="true">
      <span className="only-heard">Loading…</span>
      {LINES.map((length) => (
        <span key={length} className={`skeleton-line skeleton-${length}`} />
      ))}
    </div>
  );
}
