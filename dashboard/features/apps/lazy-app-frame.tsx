import { later } from "../../ui/later.ts";
import { Skeleton } from "../../ui/loaded.tsx";

/** An app's page in its frame. The bridge and its schemas load only where an app is shown. */
export const LazyAppFrame = later(async () => (await import("./app-frame.tsx")).AppFrame, Skeleton);
