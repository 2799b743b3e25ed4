import { lazy, Suspense } from "react";
import { Skeleton } from "../../ui/loaded.tsx";
import type { AppFrameProps } from "./app-frame.tsx";

const AppFrame = lazy(async () => ({ default: (await import("./app-frame.tsx")).AppFrame }));

/** An app's page in its frame. The bridge and its schemas load only where an app is shown. */
export function LazyAppFrame(props: AppFrameProps) {
  return (
    <Suspense fallback={<Skeleton />}>
      <AppFrame {...props} />
    </Suspense>
  );
}
