import type { Me } from "@parley/shared/contracts/accounts.ts";
import { createContext, use } from "react";
import type { Session } from "./session.ts";

/** The sign-in of this browser, for every component. */
export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("there is no SessionContext above");
  return session;
}

export type Organization = Me["organizations"][number];

/** Who is signed in, and the organization that the pages show. */
export interface Here {
  readonly me: Me;
  readonly org: Organization;
  readonly reloadMe: () => Promise<void>;
}

export const HereContext = createContext<Here | undefined>(undefined);

export function useHere(): Here {
  const here = use(HereContext);
  if (!here) throw new Error("there is no HereContext above");
  return here;
}

/** True when the role in the shown organization allows it; the API has the last word. */
export function can({ org }: Here, permission: string): boolean {
  return org.permissions.includes(permission);
}
