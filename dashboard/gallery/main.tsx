import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { ControlSpecimens } from "./controls.tsx";
import { OverlaySpecimen } from "./overlays.tsx";
import { StateSpecimens } from "./states.tsx";
import { TableSpecimens } from "./tables.tsx";

/** What covers the page is shown alone, by `?show=` and its name. */
const shown = new URLSearchParams(location.search).get("show");

/**
 * Every component of the dashboard in each of its states, for people who change one, and for the test that keeps their
 * looks. Not part of what is shipped.
 */
function Gallery() {
  return (
    <main className="frame-main">
      <h1>Components</h1>
      {shown === null ? (
        <>
          <ControlSpecimens />
          <StateSpecimens />
          <TableSpecimens />
        </>
      ) : (
        <OverlaySpecimen name={shown} />
      )}
    </main>
  );
}

const root = document.getElementById("root");
if (root === null) throw new Error("gallery.html has no #root");
// Tables keep their order in the page's address.
const router = createRouter({
  routeTree: createRootRoute({ component: Gallery }),
  history: createMemoryHistory({ initialEntries: ["/?sort=name"] }),
});
createRoot(root).render(<RouterProvider router={router as never} />);
