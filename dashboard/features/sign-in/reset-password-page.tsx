import { useState } from "react";
import { request } from "../../api/request.ts";
import { AuthPage } from "../../app/page.tsx";
import { NewPasswordField } from "../../ui/credential-fields.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { passwordOf, useSubmit } from "../../ui/use-submit.ts";
import { takeToken } from "./next-page.ts";

/** Sets a new password through a message's link. */
export function ResetPasswordPage() {
  const [token] = useState(takeToken);
  const [isDone, setDone] = useState(false);
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    await request("/api/auth/reset-password", { body: { token, password: passwordOf(fields, "password") } });
    setDone(true);
  });
  return (
    <AuthPage title="Set a new password">
      {isDone ? (
        <Success>Password set. All devices are signed out.</Success>
      ) : (
        <form onSubmit={onSubmit}>
          <NewPasswordField label="New password" />
          {token === "" && <Problem>This link is incomplete. Open it again from the email.</Problem>}
          {problem && <Problem>{problem}</Problem>}
          <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy || token === ""}>
            Set password
          </button>
        </form>
      )}
      <p>
        <a href="/sign-in">Sign in</a>
      </p>
    </AuthPage>
  );
}
