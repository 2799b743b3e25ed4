import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { createQueryClient } from "../api/query-client.ts";
import { Session } from "../api/session.ts";
import { SessionContext } from "../api/use-session.ts";
import { createAppRouter } from "./router.ts";

/** The pages of those who are signed in; others are led to the page to sign in on. */
export function App() {
  const [queries] = useState(createQueryClient);
  const [session] = useState(
    () =>
      new Session(() => {
        // The next person sees nothing of it.
        queries.clear();
        const here = location.pathname + location.search;
        location.replace(`/sign-in?next=${encodeURIComponent(here)}`);
      }),
  );
  const [router] = useState(() => createAppRouter(session));
  return (
    <QueryClientProvider client={queries}>
      <SessionContext value={session}>
        <RouterProvider router={router} />
      </SessionContext>
    </QueryClientProvider>
  );
}
