import type { SignedIn } from "@parley/shared/contracts/accounts.ts";
import { useSession } from "../../api/use-session.ts";
import { nextPage } from "./next-page.ts";

/** Stores a sign-in's tokens and goes to its destination. */
export function useEnter(): (signedIn: Pick<SignedIn, "tokens">) => void {
  const session = useSession();
  return ({ tokens }) => {
    session.begin(tokens);
    location.replace(nextPage(location.search, location.origin));
  };
}
