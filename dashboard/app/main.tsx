import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyStoredTheme } from "../ui/theme-switch.tsx";
import { App } from "./app.tsx";

applyStoredTheme();
const root = document.getElementById("root");
if (root === null) throw new Error("app.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
