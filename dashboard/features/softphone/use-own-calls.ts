import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { useState } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { useNumbers } from "../numbers/use-numbers.ts";

const RECENT = 10;
const LOOK_EVERY_MS = 10_000;

export interface OwnCalls {
  /** Softphone calls, newest first; undefined while loading. */
  readonly recent: readonly CallSummary[] | undefined;
  /** Calls on another device, or on this page before a reload. */
  readonly elsewhere: readonly CallSummary[];
  readonly problem: string | undefined;
  readonly reload: () => Promise<void>;
}

/** The person's own softphone calls; `here` is the session of this page's call. */
export function useOwnCalls(here: string | undefined): OwnCalls {
  const session = useSession();
  const { me, org } = useHere();
  const query = new URLSearchParams({ channel: "softphone", userId: me.id, limit: String(RECENT) });
  const path = `/api/orgs/${org.id}/calls?${query}`;
  const { data, problem, reload } = useData(
    path,
    () => session.call<{ calls: readonly CallSummary[] }>(path, { method: "GET", orgId: org.id }),
    { topics: ["calls"], everyMs: LOOK_EVERY_MS },
  );
  const calls = data?.calls;
  const elsewhere = calls?.filter(({ status, sessionId }) => status === "in-progress" && sessionId !== here);
  return { recent: calls, elsewhere: elsewhere ?? [], problem, reload };
}

export interface OwnNumbers {
  /** The organization's numbers; undefined while loading. */
  readonly numbers: readonly PhoneNumber[] | undefined;
  /** The calling number: chosen here, else the member's own, else the first. */
  readonly from: string | undefined;
  /** Why the numbers are not here. */
  readonly problem: string | undefined;
  readonly choose: (number: string) => void;
  /** Rereads numbers, which may have been added or reassigned. */
  readonly reload: () => Promise<void>;
}

/** Numbers to call from. */
export function useOwnNumbers(): OwnNumbers {
  const { me, org } = useHere();
  const storedUnder = `parley-softphone-from-${org.id}`;
  const [chosen, setChosen] = useState(() => localStorage.getItem(storedUnder));
  const { data: numbers, problem, reload } = useNumbers();
  const from =
    numbers?.find(({ number }) => number === chosen) ??
    numbers?.find(({ userId }) => userId === me.id) ??
    numbers?.[0];
  const choose = (number: string): void => {
    localStorage.setItem(storedUnder, number);
    setChosen(number);
  };
  return { numbers, from: from?.number, problem, choose, reload };
}
