import type { SignedIn } from "@parley/shared/contracts/accounts.ts";
import { useState } from "react";
import { request } from "../../api/request.ts";
import { useSession } from "../../api/use-session.ts";
import { AuthPage } from "../../app/page.tsx";
import { NewPasswordField } from "../../ui/credential-fields.tsx";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { passwordOf, textOf, useSubmit } from "../../ui/use-submit.ts";
import { takeToken } from "./next-page.ts";
import { useEnter } from "./use-enter.ts";

/** Accepts an invitation, with the signed-in account or a new one. */
export function InvitationPage() {
  const session = useSession();
  const [token] = useState(takeToken);
  return (
    <AuthPage title="You are invited">
      {session.isSignedIn ? <Accept token={token} /> : <Join token={token} />}
      {token === "" && <Problem>This link is incomplete. Open it again from the email.</Problem>}
    </AuthPage>
  );
}

function Accept({ token }: { readonly token: string }) {
  const session = useSession();
  const { run, isBusy, problem } = useSubmit(async () => {
    await session.call("/api/invitations/accept", { body: { token } });
    location.assign("/members");
  });
  return (
    <>
      <p>You are signed in. Join with this account?</p>
      {problem && <Problem>{problem}</Problem>}
      <button type="button" className="pf-btn pf-btn-primary" disabled={isBusy} onClick={() => void run()}>
        Join
      </button>
    </>
  );
}

function Join({ token }: { readonly token: string }) {
  const enter = useEnter();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const name = textOf(fields, "name");
    const body = {
      email: textOf(fields, "email"),
      password: passwordOf(fields, "password"),
      invitationToken: token,
      ...(name === "" ? {} : { name }),
    };
    enter(await request<SignedIn>("/api/auth/register", { body }));
  });
  return (
    <>
      <form onSubmit={onSubmit}>
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          hint="The address that received the invitation."
          required
        />
        <Field label="Your name" name="name" autoComplete="name" maxLength={128} />
        <NewPasswordField />
        {problem && <Problem>{problem}</Problem>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Create account and join
        </button>
      </form>
      <p>
        Have an account? <a href="/sign-in">Sign in</a>, then open the link again.
      </p>
    </>
  );
}
