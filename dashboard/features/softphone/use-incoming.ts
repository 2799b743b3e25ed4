import type { incomingCallEvents, RingingCall } from "@parley/shared/contracts/softphones.ts";
import { useCallback, useEffect, useState } from "react";
import { eventData, listen } from "../../api/listen.ts";
import type { Session } from "../../api/session.ts";

const PATH = "/api/me/incoming-calls";

export interface Incoming {
  /** Ringing calls, oldest first. */
  readonly calls: readonly RingingCall[];
  /** `lost`: calls would not ring here. */
  readonly state: "opening" | "open" | "lost";
  /** Hides a call here, ahead of the API. */
  readonly forget: (sessionId: string) => void;
}

/** Calls ringing for the signed-in member; an undefined `session` means they may answer none. */
export function useIncoming(session: Session | undefined, orgId: string): Incoming {
  const [calls, setCalls] = useState<readonly RingingCall[]>([]);
  const [state, setState] = useState<Incoming["state"]>("opening");
  const forget = useCallback(
    (sessionId: string) => setCalls((now) => now.filter((call) => call.sessionId !== sessionId)),
    [],
  );
  useEffect(() => {
    if (session === undefined) return;
    const stop = new AbortController();
    const hear = (events: typeof incomingCallEvents, name: string | undefined, data: string): void => {
      const ringing = name === "ringing" ? eventData(events.ringing, data) : undefined;
      const gone = name === "gone" ? eventData(events.gone, data) : undefined;
      if (ringing) {
        setCalls((now) => [...now.filter(({ sessionId }) => sessionId !== ringing.sessionId), ringing]);
      }
      if (gone) forget(gone.sessionId);
    };
    void events().then((known) =>
      listen({
        session,
        path: PATH,
        orgId,
        signal: stop.signal,
        onLost: () => setState("lost"),
        // The stream repeats calls that are still ringing.
        onOpen: () => {
          setState("open");
          setCalls([]);
        },
        onEvent: (name, data) => hear(known, name, data),
      }),
    );
    return () => stop.abort();
  }, [session, orgId, forget]);
  return { calls, state, forget };
}

/** Schemas load lazily, after the page. */
async function events(): Promise<typeof incomingCallEvents> {
  return (await import("@parley/shared/contracts/softphones.ts")).incomingCallEvents;
}
