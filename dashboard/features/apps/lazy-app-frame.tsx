import { Suspense } from "react";
import { later } from "../../ui/later.ts";
import { Skeleton } from "../../ui/loaded.tsx";
import type { AppFrameProps } from "./app-frame.tsx";

const AppFrame = later(async () => (await import("./app-frame.tsx")).AppFrame);

/** An app's page in its frame. The bridge and its schemas load only where an app is shown. */
export function LazyAppFrame(props: AppFrameProps) {
  return (
    <Suspense fallback={<Skeleton />}>
      <AppFrame {...props} />
    </Suspense>
  );
}
