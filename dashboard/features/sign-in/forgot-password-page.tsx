import { useState } from "react";
import { request } from "../../api/request.ts";
import { AuthPage } from "../../app/page.tsx";
import { IdentifierField } from "../../ui/credential-fields.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";

/** Asks for a link to set a new password. */
export function ForgotPasswordPage() {
  const [said, setSaid] = useState<string>();
  const identifier = new URLSearchParams(location.search).get("identifier") ?? "";
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const { message } = await request<{ message: string }>("/api/auth/forgot-password", {
      body: { identifier: textOf(fields, "identifier") },
    });
    setSaid(message);
  });
  return (
    <AuthPage title="Forgot your password?">
      <form onSubmit={onSubmit}>
        <IdentifierField defaultValue={identifier} />
        {problem && <Problem>{problem}</Problem>}
        {said && <Success>{said}</Success>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Send link
        </button>
      </form>
      <p>
        <a href="/sign-in">Back to sign-in</a>
      </p>
    </AuthPage>
  );
}
