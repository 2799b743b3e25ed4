import type { Me } from "@parley/shared/contracts/accounts.ts";
import { createContext, use } from "react";
import type { Session } from "./session.ts";

/** Key of the signed-in person among what is loaded. */
export const ME = "me";

/** This browser's sign-in, for every component. */
export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("there is no SessionContext above");
  return session;
}

export type Organization = Me["organizations"][number];

/** The signed-in person and the shown organization. */
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

/** Whether the role in the shown organization permits something; the API has the last word. */
export function can({ org }: Here, permission: string): boolean {
  return org.permissions.includes(permission);
}
