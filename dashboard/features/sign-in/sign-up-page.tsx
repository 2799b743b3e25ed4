import type { OtpSent, SignedIn } from "@parley/shared/contracts/accounts.ts";
import { useState } from "react";
import { request } from "../../api/request.ts";
import { useSession } from "../../api/use-session.ts";
import { AuthPage } from "../../app/page.tsx";
import { CodeField, IdentifierField, NewPasswordField } from "../../ui/credential-fields.tsx";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { passwordOf, textOf, useSubmit } from "../../ui/use-submit.ts";
import { useEnter } from "./use-enter.ts";

type Registered = SignedIn & { readonly verification: OtpSent | null };

/** A new account with its own organization, then the code that verifies the address. */
export function SignUpPage() {
  const session = useSession();
  const enter = useEnter();
  const [registered, setRegistered] = useState<Registered>();
  const identifier = new URLSearchParams(location.search).get("identifier") ?? "";
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const made = await request<Registered>("/api/auth/register", {
      body: {
        identifier: textOf(fields, "identifier"),
        password: passwordOf(fields, "password"),
        ...given(fields, "name"),
        ...given(fields, "organizationName"),
      },
    });
    session.begin(made.tokens);
    if (made.verification === null) enter(made);
    else setRegistered(made);
  });
  if (registered?.verification) {
    return <ProvePage verification={registered.verification} onDone={() => enter(registered)} />;
  }
  return (
    <AuthPage title="Create account">
      <form onSubmit={onSubmit}>
        <IdentifierField defaultValue={identifier} />
        <Field label="Your name" name="name" autoComplete="name" maxLength={128} />
        <Field
          label="Organization"
          name="organizationName"
          autoComplete="organization"
          maxLength={128}
          hint="Optional. Defaults to your name; you can change it later."
        />
        <NewPasswordField hint="At least 8 characters. A few random words are easier to remember than symbols." />
        {problem && <Problem>{problem}</Problem>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Create account
        </button>
      </form>
      <p>
        Have one already? <a href={`/sign-in${location.search}`}>Sign in</a>
      </p>
    </AuthPage>
  );
}

function ProvePage({
  verification,
  onDone,
}: {
  readonly verification: OtpSent;
  readonly onDone: () => void;
}) {
  const session = useSession();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const body = { requestId: verification.requestId, code: textOf(fields, "code") };
    await session.call("/api/auth/verification", { body });
    onDone();
  });
  return (
    <AuthPage title="Verify your email">
      <p>
        A code is on its way to {verification.destinationHint}. With it you show that the account is yours to
        keep.
      </p>
      <form onSubmit={onSubmit}>
        <CodeField />
        {problem && <Problem>{problem}</Problem>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Confirm
        </button>
        <button type="button" className="pf-btn pf-btn-quiet" onClick={onDone}>
          Later
        </button>
      </form>
    </AuthPage>
  );
}

function given(fields: FormData, name: string): Record<string, string> {
  const text = textOf(fields, name);
  return text === "" ? {} : { [name]: text };
}
