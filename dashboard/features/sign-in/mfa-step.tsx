import { useState } from "react";
import { CodeField } from "../../ui/credential-fields.tsx";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";

export type SecondFactor = { readonly totpCode: string } | { readonly recoveryCode: string };

interface MfaStepProps {
  readonly onFactor: (factor: SecondFactor) => Promise<void>;
}

/** Asks for an authenticator code or a recovery code. */
export function MfaStep({ onFactor }: MfaStepProps) {
  const [kind, setKind] = useState<"app" | "recovery">("app");
  const { onSubmit, isBusy, problem } = useSubmit((fields) =>
    onFactor(
      kind === "app"
        ? { totpCode: textOf(fields, "totpCode") }
        : { recoveryCode: textOf(fields, "recoveryCode") },
    ),
  );
  return (
    <>
      <form onSubmit={onSubmit}>
        {kind === "app" ? (
          <CodeField label="Code from your authenticator app" name="totpCode" key="app" />
        ) : (
          <Field
            key="recovery"
            label="Recovery code"
            name="recoveryCode"
            autoComplete="off"
            spellCheck={false}
            hint="One of the ten codes you saved when you turned on two-factor authentication. Each works once."
            required
          />
        )}
        {problem && <Problem>{problem}</Problem>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Sign in
        </button>
      </form>
      <div className="door-links">
        <button
          type="button"
          className="pf-btn pf-btn-quiet"
          onClick={() => setKind(kind === "app" ? "recovery" : "app")}
        >
          {kind === "app" ? "Use a recovery code" : "Use the app"}
        </button>
      </div>
    </>
  );
}
