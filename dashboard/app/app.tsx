import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { createQueryClient } from "../api/query-client.ts";
import { Session } from "../api/session.ts";
import { SessionContext } from "../api/use-session.ts";
import { ForgotPasswordPage } from "../features/sign-in/forgot-password-page.tsx";
import { InvitationPage } from "../features/sign-in/invitation-page.tsx";
import { OidcPage } from "../features/sign-in/oidc-page.tsx";
import { ResetPasswordPage } from "../features/sign-in/reset-password-page.tsx";
import { SignInPage } from "../features/sign-in/sign-in-page.tsx";
import { SignUpPage } from "../features/sign-in/sign-up-page.tsx";
import logoUrl from "../ui/parley.svg";
import { ThemeSwitch } from "../ui/theme-switch.tsx";
import { AuthPage } from "./page.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

/** Every page but the one to talk on. A new one is a line here and in the control API's list of pages. */
export function App() {
  const [, navigate] = useLocation();
  const [queries] = useState(createQueryClient);
  const [session] = useState(
    () =>
      new Session(() => {
        // The next person sees nothing of it.
        queries.clear();
        if (location.pathname.startsWith("/settings")) {
          navigate(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
        }
      }),
  );
  return (
    <QueryClientProvider client={queries}>
      <SessionContext value={session}>
        <header className="bar">
          <a href="/talk" className="bar-logo">
            <img src={logoUrl} alt="" width="28" height="28" /> Parley
          </a>
          <ThemeSwitch />
        </header>
        <Switch>
          <Route path="/sign-in" component={SignInPage} />
          <Route path="/sign-in/oidc/:idp">{({ idp }) => <OidcPage idp={idp} />}</Route>
          <Route path="/sign-up" component={SignUpPage} />
          <Route path="/forgot-password" component={ForgotPasswordPage} />
          <Route path="/reset-password" component={ResetPasswordPage} />
          <Route path="/invitation" component={InvitationPage} />
          <Route path="/settings" nest>
            {session.isSignedIn ? (
              <SettingsFrame />
            ) : (
              <Redirect
                to={`~/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`}
                replace
              />
            )}
          </Route>
          <Route>
            <AuthPage title="There is no such page">
              <p>
                <a href="/sign-in">Sign in</a>, or <a href="/talk">talk to the agent</a>.
              </p>
            </AuthPage>
          </Route>
        </Switch>
      </SessionContext>
    </QueryClientProvider>
  );
}
