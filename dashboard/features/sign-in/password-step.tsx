import { PasswordField } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { passwordOf, useSubmit } from "../../ui/use-submit.ts";

interface PasswordStepProps {
  readonly identifier: string;
  readonly onPassword: (password: string) => Promise<void>;
  readonly onCodeInstead: () => Promise<void>;
}

/** Asks for the password, or offers a code instead. */
export function PasswordStep({ identifier, onPassword, onCodeInstead }: PasswordStepProps) {
  const { onSubmit, isBusy, problem } = useSubmit((fields) => onPassword(passwordOf(fields, "password")));
  const code = useSubmit(onCodeInstead);
  return (
    <>
      <p className="pf-muted">Signing in as {identifier}</p>
      <form onSubmit={onSubmit}>
        <input type="hidden" name="username" value={identifier} autoComplete="username" />
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
        {(problem ?? code.problem) && <Problem>{problem ?? code.problem}</Problem>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Sign in
        </button>
      </form>
      <div className="door-links">
        <button
          type="button"
          className="pf-btn pf-btn-quiet"
          disabled={code.isBusy}
          onClick={() => void code.run()}
        >
          Sign in with a code
        </button>
        <a href={`/forgot-password?identifier=${encodeURIComponent(identifier)}`}>Forgot password?</a>
      </div>
    </>
  );
}
