import type { RingingCall } from "@parley/shared/contracts/softphones.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { afterOpening, reloadChanged } from "../../api/reload-changed.ts";
import type { Session } from "../../api/session.ts";

const PATH = "/api/me/incoming-calls?changes=true";

export interface Incoming {
  /** Ringing calls, oldest first. */
  readonly calls: readonly RingingCall[];
  /** `lost`: calls would not ring here. */
  readonly state: "opening" | "open" | "lost";
  /** Hides a call here, ahead of the API. */
  readonly forget: (sessionId: string) => void;
}

/**
 * Calls ringing for the signed-in member; an undefined `session` means they may answer none. The same stream tells what
 * changed in the organization, and reloads it.
 */
export function useIncoming(session: Session | undefined, orgId: string): Incoming {
  const [calls, setCalls] = useState<readonly RingingCall[]>([]);
  const [state, setState] = useState<Incoming["state"]>("opening");
  const forget = useCallback(
    (sessionId: string) => setCalls((now) => now.filter((call) => call.sessionId !== sessionId)),
    [],
  );
  const queries = useQueryClient();
  useEffect(() => {
    if (session === undefined) return;
    const stop = new AbortController();
    const refresh = reloadChanged(queries, stop.signal);
    const reloadMissed = afterOpening(() => refresh(["calls"]), stop.signal);
    const hear = ({ eventData, ...events }: Parts, name: string | undefined, data: string): void => {
      if (name === "changed") refresh(eventData(events.changed, data)?.topics ?? []);
      const ringing = name === "ringing" ? eventData(events.ringing, data) : undefined;
      const gone = name === "gone" ? eventData(events.gone, data) : undefined;
      if (ringing) {
        setCalls((now) => [...now.filter(({ sessionId }) => sessionId !== ringing.sessionId), ringing]);
      }
      if (gone) forget(gone.sessionId);
    };
    void parts().then((known) =>
      known.listen({
        session,
        path: PATH,
        orgId,
        signal: stop.signal,
        onLost: () => setState("lost"),
        // The stream repeats calls that are still ringing, but not what changed while no one listened.
        onOpen: () => {
          setState("open");
          setCalls([]);
          reloadMissed();
        },
        onEvent: (name, data) => hear(known, name, data),
      }),
    );
    return () => stop.abort();
  }, [session, orgId, forget, queries]);
  return { calls, state, forget };
}

type Parts = Awaited<ReturnType<typeof parts>>;

/** What reads the stream loads lazily, after the page. */
async function parts() {
  const [{ eventData, listen }, { incomingCallEvents }, { changeEvents }] = await Promise.all([
    import("../../api/listen.ts"),
    import("@parley/shared/contracts/softphones.ts"),
    import("@parley/shared/contracts/changes.ts"),
  ]);
  return { eventData, listen, ...incomingCallEvents, ...changeEvents };
}
