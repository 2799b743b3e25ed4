import { type ComponentType, StrictMode } from "react";
import { createRoot } from "react-dom/client";

/**
 * Renders the app into `#root`, which the dashboard provides; call the result to unmount. Throws when there
 * is none.
 */
export function mount(App: ComponentType): () => void {
  const element = document.getElementById("root");
  if (element === null) {
    throw new Error("There is no #root: this app runs inside the dashboard, or under parley app dev.");
  }
  const root = createRoot(element);
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  return () => root.unmount();
}
