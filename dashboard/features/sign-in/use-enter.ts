import type { SignedIn } from "@parley/shared/contracts/accounts.ts";
import { useLocation } from "wouter";
import { useSession } from "../../api/use-session.ts";
import { nextPage } from "./next-page.ts";

/** Keeps the tokens of a sign-in and goes where it was meant to lead. */
export function useEnter(): (signedIn: Pick<SignedIn, "tokens">) => void {
  const session = useSession();
  const [, navigate] = useLocation();
  return ({ tokens }) => {
    session.begin(tokens);
    navigate(nextPage(location.search, location.origin), { replace: true });
  };
}
