import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

type Change = URLSearchParams | ((now: URLSearchParams) => URLSearchParams);
type SetParams = (change: Change, options?: { readonly replace?: boolean }) => void;

/**
 * The query of the page's address, and a setter that adds a history entry or replaces the current one
 * (`replace`).
 */
export function useSearchParams(): [URLSearchParams, SetParams] {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const params = useMemo(() => paramsOf(search), [search]);
  const setParams = useCallback<SetParams>(
    (change, { replace = false } = {}) => {
      void navigate({
        to: ".",
        replace,
        search: (now: object) => {
          const after = typeof change === "function" ? change(paramsOf(now)) : change;
          return Object.fromEntries(after);
        },
      });
    },
    [navigate],
  );
  return [params, setParams];
}

function paramsOf(search: object): URLSearchParams {
  return new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
