import type { Me } from "@parley/shared/contracts/accounts.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "../api/query-client.ts";
import type { Session } from "../api/session.ts";
import { ME, SessionContext } from "../api/use-session.ts";
import { createAppRouter } from "./router.ts";
import { signInAddress } from "./sign-in-address.ts";

/**
 * Shows the pages for signed-in people.
 * @param asked who is signed in, already asked for; undefined when that failed
 */
export async function start(session: Session, asked: Promise<Me | undefined>): Promise<void> {
  const root = document.getElementById("root");
  if (root === null) throw new Error("app.html has no #root");
  const queries = createQueryClient();
  session.onSignedOut(() => {
    // Hides the data from the next person.
    queries.clear();
    location.replace(signInAddress());
  });
  const router = createAppRouter(session);
  // Until then the outline in app.html stays: the first render replaces it, and would have nothing to show.
  const [me] = await Promise.all([asked, router.load()]);
  if (me) queries.setQueryData([ME], me);
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <SessionContext value={session}>
          <RouterProvider router={router} />
        </SessionContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}
