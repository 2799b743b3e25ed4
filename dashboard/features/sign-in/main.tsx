import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyStoredTheme } from "../../ui/theme.ts";
import { SignInApp } from "./sign-in-app.tsx";

applyStoredTheme();
const root = document.getElementById("root");
if (root === null) throw new Error("sign-in.html has no #root");
createRoot(root).render(
  <StrictMode>
    <SignInApp />
  </StrictMode>,
);
