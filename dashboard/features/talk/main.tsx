import { checkWithoutMadeCode } from "@parley/shared/contracts/under-page-policy.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyStoredTheme } from "../../ui/theme.ts";

applyStoredTheme();
checkWithoutMadeCode();
const root = document.getElementById("root");
if (root === null) throw new Error("talk.html has no #root");
// Imported late: the page's contracts are built as they load.
const { TalkPage } = await import("./talk-page.tsx");
createRoot(root).render(
  <StrictMode>
    <TalkPage />
  </StrictMode>,
);
