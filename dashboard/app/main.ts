import { checkWithoutMadeCode } from "@parley/shared/contracts/under-page-policy.ts";
import { Session } from "../api/session.ts";
import { applyStoredTheme } from "../ui/theme.ts";
import { beginPage } from "./pages.ts";
import { signInAddress } from "./sign-in-address.ts";

/**
 * The first script of a visit, and small: what takes longest begins at once, side by side. The sign-in is resumed and the
 * page's code comes while the browser still reads React.
 */
applyStoredTheme();
checkWithoutMadeCode();
const session = new Session();
if (session.isSignedIn) {
  // Without an answer, the first render asks again, and says what is wrong.
  const me = session.me().catch(() => undefined);
  beginPage(location.pathname);
  void import("./start.tsx").then(({ start }) => start(session, me));
} else {
  location.replace(signInAddress());
}
