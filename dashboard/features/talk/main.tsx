import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyStoredTheme } from "../../ui/theme-switch.tsx";
import { TalkPage } from "./talk-page.tsx";

applyStoredTheme();
const root = document.getElementById("root");
if (root === null) throw new Error("talk.html has no #root");
createRoot(root).render(
  <StrictMode>
    <TalkPage />
  </StrictMode>,
);
