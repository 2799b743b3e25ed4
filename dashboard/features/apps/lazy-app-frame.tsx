import { lazy, Suspense } from "react";
import { Skeleton } from "../../ui/loaded.tsx";
import type { AppFrameProps } from "./app-frame.tsx";

const AppFrame = lazy(async () => ({ default: (await import("./app-frame.tsx")).AppFrame }));

/** A page of an app in its frame. The bridge and its schemas are loaded where an app is shown, not with each page. */
export function LazyAppFrame(props: AppFrameProps) {
  return (
    <Suspense fallback={<Skeleton />}>
      <AppFrame {...props} />
    </Suspense>
  );
}
