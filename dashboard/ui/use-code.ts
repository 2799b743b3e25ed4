import { useEffect, useState } from "react";

/**
 * Code that a part of a page needs only once something happens.
 * @param load imports it
 * @returns undefined until it is there
 */
export function useCode<T>(load: () => Promise<T>, isWanted: boolean): T | undefined {
  const [loaded, setLoaded] = useState<{ readonly code: T }>();
  useEffect(() => {
    if (!isWanted || loaded) return undefined;
    let isShown = true;
    load().then(
      (code) => isShown && setLoaded({ code }),
      // Whatever cannot go on without it asks for it again, and says so.
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [load, isWanted, loaded]);
  return loaded?.code;
}
