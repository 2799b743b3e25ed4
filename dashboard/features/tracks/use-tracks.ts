import type { Track } from "@parley/shared/contracts/tracks.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import type { Room } from "./track-labels.ts";

export interface Library extends Room {
  readonly tracks: readonly Track[];
}

/** The tracks of the shown organization. */
export function useTracks() {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/ambient-tracks`;
  const read = useData(path, () => session.call<Library>(path, { method: "GET", orgId: org.id }), {
    isList: true,
  });
  return { path, ...read };
}
