import { type ReactNode, useState } from "react";
import { Session } from "../../api/session.ts";
import { SessionContext } from "../../api/use-session.ts";
import { Bar } from "../../ui/bar.tsx";
import { ForgotPasswordPage } from "./forgot-password-page.tsx";
import { InvitationPage } from "./invitation-page.tsx";
import { OidcPage } from "./oidc-page.tsx";
import { ResetPasswordPage } from "./reset-password-page.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { SignUpPage } from "./sign-up-page.tsx";

/** The pages before sign-in: one small script. The browser itself navigates between them. */
export function SignInApp() {
  const [session] = useState(() => new Session());
  return (
    <SessionContext value={session}>
      <Bar />
      {pageAt(location.pathname)}
    </SessionContext>
  );
}

function pageAt(address: string): ReactNode {
  const idp = /^\/sign-in\/oidc\/([^/]+)$/.exec(address)?.[1];
  if (idp !== undefined) return <OidcPage idp={idp} />;
  switch (address) {
    case "/sign-up":
      return <SignUpPage />;
    case "/forgot-password":
      return <ForgotPasswordPage />;
    case "/reset-password":
      return <ResetPasswordPage />;
    case "/invitation":
      return <InvitationPage />;
    default:
      return <SignInPage />;
  }
}
