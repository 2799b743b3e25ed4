import type { Me, SignedIn } from "@parley/shared/contracts/accounts.ts";
import type { ReadInvitation } from "@parley/shared/contracts/organizations.ts";
import { useEffect, useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { request } from "../../api/request.ts";
import { useSession } from "../../api/use-session.ts";
import { AuthPage } from "../../app/page.tsx";
import { NewPasswordField } from "../../ui/credential-fields.tsx";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { passwordOf, textOf, useSubmit } from "../../ui/use-submit.ts";
import { takeToken } from "./next-page.ts";
import { useEnter } from "./use-enter.ts";

interface Invited {
  readonly invitation: ReadInvitation;
  /** The signed-in person. */
  readonly me: Me | undefined;
}

/** Says who invites and to what, and accepts it, with the signed-in account or a new one. */
export function InvitationPage() {
  const [token] = useState(takeToken);
  const { invited, problem } = useInvited(token);
  return (
    <AuthPage title="You are invited">
      {problem && <Problem>{problem}</Problem>}
      {invited && (
        <>
          <Offer of={invited.invitation} />
          {invited.me ? (
            <Accept token={token} invitation={invited.invitation} me={invited.me} />
          ) : (
            <Join token={token} invitation={invited.invitation} />
          )}
        </>
      )}
    </AuthPage>
  );
}

/** What the link leads to, or why it leads nowhere. */
function useInvited(token: string): { readonly invited?: Invited; readonly problem?: string } {
  const session = useSession();
  const [found, setFound] = useState<{ readonly invited?: Invited; readonly problem?: string }>({});
  useEffect(() => {
    let isCurrent = true;
    const read = async (): Promise<Invited> => {
      const [invitation, me] = await Promise.all([
        request<ReadInvitation>("/api/invitations/read", { body: { token } }),
        // A sign-in that has ended leads to a new account, as if there had been none.
        session.isSignedIn ? session.me().catch(() => undefined) : undefined,
      ]);
      return { invitation, me };
    };
    if (token === "") setFound({ problem: "This link is incomplete. Open it again from the email." });
    else
      read().then(
        (invited) => isCurrent && setFound({ invited }),
        (error: unknown) => isCurrent && setFound({ problem: reasonOf(error) }),
      );
    return () => {
      isCurrent = false;
    };
  }, [token, session]);
  return found;
}

function Offer({ of: { orgName, inviter, role } }: { readonly of: ReadInvitation }) {
  return (
    <p>
      <bdi>{inviter}</bdi> invited you to join{" "}
      <strong>
        <bdi>{orgName}</bdi>
      </strong>{" "}
      as {/^[aeiou]/.test(role) ? "an" : "a"} {role}.
    </p>
  );
}

interface AnswerProps {
  readonly token: string;
  readonly invitation: ReadInvitation;
}

function Accept({ token, invitation: { orgName, email }, me }: AnswerProps & { readonly me: Me }) {
  const session = useSession();
  const { run, isBusy, problem } = useSubmit(async () => {
    await session.call("/api/invitations/accept", { body: { token } });
    location.assign("/members");
  });
  const own = me.email ?? me.mobile ?? "another account";
  if (me.email !== email)
    return (
      <>
        <p>
          The invitation is for <strong>{email}</strong>, and you are signed in as {own}. Sign out, then open
          the link again.
        </p>
        <a className="pf-btn" href="/">
          Open Parley
        </a>
      </>
    );
  return (
    <>
      <p>You are signed in as {own}.</p>
      {problem && <Problem>{problem}</Problem>}
      <button type="button" className="pf-btn pf-btn-primary" disabled={isBusy} onClick={() => void run()}>
        Join {orgName}
      </button>
    </>
  );
}

function Join({ token, invitation: { email } }: AnswerProps) {
  const enter = useEnter();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const name = textOf(fields, "name");
    const body = {
      email,
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
          hint="The address that was invited."
          value={email}
          readOnly
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
