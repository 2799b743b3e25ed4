import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { createQueryClient } from "../api/query-client.ts";
import { Session } from "../api/session.ts";
import { SessionContext } from "../api/use-session.ts";
import { createAppRouter } from "./router.ts";

/** The pages for signed-in people; others are sent to the sign-in page. */
export function App() {
  const [queries] = useState(createQueryClient);
  const [session] = useState(
    () =>
      new Session(() => {
        // Hides the data from the next person.
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
