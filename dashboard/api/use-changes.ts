import type { ChangeTopic, changeEvents } from "@parley/shared/contracts/changes.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { eventData, listen } from "./listen.ts";
import { afterOpening, reloadChanged } from "./reload-changed.ts";
import { useHere, useSession } from "./use-session.ts";

/** Reloads what the pages show of the organization whenever it changes. One tab of the browser listens for all. */
export function useChanges(): void {
  const session = useSession();
  const { org } = useHere();
  const queries = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const name = `parley-changes-${org.id}`;
    const tabs = new BroadcastChannel(name);
    const refresh = reloadChanged(queries, signal);
    tabs.onmessage = async ({ data }) =>
      refresh((await schemas()).changed.safeParse(data).data?.topics ?? []);
    const hear = (topics: readonly ChangeTopic[]): void => {
      refresh(topics);
      tabs.postMessage({ topics });
    };
    const listening = async (): Promise<void> => {
      const { changed } = await schemas();
      await listen({
        session,
        path: `/api/orgs/${org.id}/changes`,
        orgId: org.id,
        signal,
        // What changed while no one listened, which is also so between the page's own loading and now.
        onOpen: afterOpening(() => hear(["calls"]), signal),
        onEvent: (event, data) => {
          if (event === "changed") hear(eventData(changed, data)?.topics ?? []);
        },
      });
    };
    // Browsers open few HTTP/1.1 connections per server: one per tab would be too many.
    const asked = navigator.locks ? navigator.locks.request(name, { signal }, listening) : listening();
    asked.catch(() => undefined);
    return () => {
      stop.abort();
      tabs.close();
    };
  }, [session, org.id, queries]);
}

/** Loaded lazily, after the page. */
async function schemas(): Promise<typeof changeEvents> {
  return (await import("@parley/shared/contracts/changes.ts")).changeEvents;
}
