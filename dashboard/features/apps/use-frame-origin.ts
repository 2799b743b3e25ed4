import type { AppFrames } from "@parley/shared/contracts/app-frames.ts";
import { useData } from "../../api/use-data.ts";
import { useSession } from "../../api/use-session.ts";

/** The origin apps run on; undefined until known. */
export function useFrameOrigin(): string | undefined {
  const session = useSession();
  const path = "/api/apps/frames";
  return useData(path, () => session.call<AppFrames>(path, { method: "GET" }), { isList: true }).data?.origin;
}
