import { useState } from "react";
import { Link } from "wouter";
import { request } from "../../api/request.ts";
import { DoorPage } from "../../app/page.tsx";
import { PasswordField } from "../../ui/field.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { passwordOf, useSubmit } from "../../ui/use-submit.ts";
import { takeToken } from "./next-page.ts";

/** Sets a new password by the link of a message. */
export function ResetPasswordPage() {
  const [token] = useState(takeToken);
  const [isDone, setDone] = useState(false);
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    await request("/api/auth/reset-password", { body: { token, password: passwordOf(fields, "password") } });
    setDone(true);
  });
  return (
    <DoorPage title="Set a new password">
      {isDone ? (
        <Success>The password is set, and every device is signed out.</Success>
      ) : (
        <form onSubmit={onSubmit}>
          <PasswordField
            label="New password"
            name="password"
            autoComplete="new-password"
            minLength={8}
            maxLength={256}
            hint="At least 8 characters."
            required
          />
          {token === "" && <Problem>The link is not whole; open it from the message again.</Problem>}
          {problem && <Problem>{problem}</Problem>}
          <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy || token === ""}>
            Set the password
          </button>
        </form>
      )}
      <p>
        <Link to="/sign-in">Sign in</Link>
      </p>
    </DoorPage>
  );
}
