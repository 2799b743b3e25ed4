import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { serverNowMs } from "../../api/server-clock.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import type { CallWatch, Watched } from "./call-watch.ts";

/** A frame is sent before its content is in the record. */
const SETTLE_MS = 400;
/** Polling finds what no frame reported: a ringing call, or a lost frame. */
const LOOK_MS = 3_000;
const FOLLOWS_WITHIN_MS = 20_000;

/** A call's current record, reread while the call goes on and on `reload`. */
export function useCallRecord(id: string): Data<CallDetail> {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/calls/${encodeURIComponent(id)}`;
  return useData(path, () => session.call<CallDetail>(path, { method: "GET", orgId: org.id }), {
    everyMs: (call) => (isMoving(call) ? LOOK_MS : undefined),
  });
}

/** Webhook deliveries about a call's end come after it. */
function isMoving({ endTime, deliveries }: CallDetail): boolean {
  if (endTime === null || serverNowMs() - Date.parse(endTime) < FOLLOWS_WITHIN_MS) return true;
  return deliveries.some(({ status }) => status === "pending" || status === "failed");
}

/** The stream's reports; shortly after one that the record keeps, rereads the record. */
export function useCallWatch(watch: CallWatch, reload: () => Promise<void>): Watched {
  const watched = useSyncExternalStore(watch.subscribe, watch.current);
  const { news } = watched;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (news === 0) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void reload();
    }, SETTLE_MS);
  }, [news, reload]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return watched;
}
