import type { OtpSent } from "@parley/shared/contracts/accounts.ts";
import { useState } from "react";
import { request } from "../../api/request.ts";
import { CodeField } from "../../ui/credential-fields.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";

interface CodeStepProps {
  readonly sent: OtpSent;
  readonly onCode: (code: string) => Promise<void>;
  readonly resendPath: string;
  readonly action?: string;
}

/** Asks for the code that was sent. */
export function CodeStep({ sent, onCode, resendPath, action = "Sign in" }: CodeStepProps) {
  const { onSubmit, isBusy, problem } = useSubmit((fields) => onCode(textOf(fields, "code")));
  const [isResent, setResent] = useState(false);
  const resend = useSubmit(async () => {
    setResent(false);
    await request(resendPath, { body: { requestId: sent.requestId } });
    setResent(true);
  });
  return (
    <>
      <p>
        If {sent.destinationHint} belongs to an account, a code is on its way there. It is good for{" "}
        {sent.expiresInMinutes} minutes.
      </p>
      <form onSubmit={onSubmit}>
        <CodeField />
        {(problem ?? resend.problem) && <Problem>{problem ?? resend.problem}</Problem>}
        {isResent && <Success>New code sent.</Success>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          {action}
        </button>
      </form>
      <div className="door-links">
        <button
          type="button"
          className="pf-btn pf-btn-quiet"
          disabled={resend.isBusy}
          onClick={() => void resend.run()}
        >
          Send new code
        </button>
      </div>
    </>
  );
}
