import type { SignedIn } from "@parley/shared/contracts/accounts.ts";
import { useSession } from "../../api/use-session.ts";
import { nextPage } from "./next-page.ts";

/** Keeps the tokens of a sign-in and goes where it was meant to lead. */
export function useEnter(): (signedIn: Pick<SignedIn, "tokens">) => void {
  const session = useSession();
  return ({ tokens }) => {
    session.begin(tokens);
    location.replace(nextPage(location.search, location.origin));
  };
}
