import { useState } from "react";
import type { Session } from "../../api/session.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { CallWatch } from "./call-watch.ts";

/** A page's watches: one per call, shared by all parts of the page. */
export class Watches {
  readonly #watches = new Map<string, CallWatch>();
  readonly #session: Session;
  readonly #orgId: string;

  constructor(session: Session, orgId: string) {
    this.#session = session;
    this.#orgId = orgId;
  }

  of(sessionId: string): CallWatch {
    const known = this.#watches.get(sessionId);
    if (known) return known;
    const path = `/api/sessions/${encodeURIComponent(sessionId)}/stream`;
    const made = new CallWatch(async () => {
      const { streamUrl } = await this.#session.call<{ streamUrl: string }>(path, { orgId: this.#orgId });
      return streamUrl;
    });
    this.#watches.set(sessionId, made);
    return made;
  }

  /** Drops watches of calls no longer shown: a page may be open for days. */
  keepOnly(sessionIds: ReadonlySet<string>): void {
    for (const id of this.#watches.keys()) if (!sessionIds.has(id)) this.#watches.delete(id);
  }
}

/** The watches for the shown organization. */
export function useWatches(): Watches {
  const session = useSession();
  const { org } = useHere();
  const [watches] = useState(() => new Watches(session, org.id));
  return watches;
}
