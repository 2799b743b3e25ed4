import { checkWithoutMadeCode } from "@parley/shared/contracts/under-page-policy.ts";
import { Session } from "../api/session.ts";
import { applyStoredTheme } from "../ui/theme.ts";
import { firstReads } from "./first-reads.ts";
import { beginPage } from "./pages.ts";
import { showNotStarted } from "./show-not-started.ts";
import { signInAddress } from "./sign-in-address.ts";

/**
 * The first script of a visit, and small: what takes longest begins at once, side by side. The sign-in is resumed, and the
 * page's code and what it shows come while the browser still reads React.
 */
applyStoredTheme();
checkWithoutMadeCode();
const session = new Session();
// Also while the code for the rest is still on its way.
session.onSignedOut(() => location.replace(signInAddress()));
if (session.isSignedIn) {
  // Without an answer, the first render asks again, and says what is wrong.
  const me = session.me().catch(() => undefined);
  void me.then((told) => told && session.readAhead(firstReads(location, told)));
  beginPage(location.pathname);
  import("./start.tsx").then(({ start }) => start(session, me)).catch(showNotStarted);
} else {
  location.replace(signInAddress());
}
