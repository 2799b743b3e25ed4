import type { OtpSent } from "@parley/shared/contracts/accounts.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { CodeField, NewPasswordField } from "../../ui/credential-fields.tsx";
import { PasswordField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { passwordOf, textOf, useSubmit } from "../../ui/use-submit.ts";
import { SecondFactorPanel } from "./second-factor-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";

/** The person's own password, second factor and sign-ins. */
export function SecurityPage() {
  const { me } = useHere();
  return (
    <AppPage title="Security">
      {!me.verified && <VerifyPanel />}
      {me.hasPassword && <PasswordPanel />}
      <SecondFactorPanel />
      <SessionsPanel />
      <DeactivatePanel />
    </AppPage>
  );
}

function VerifyPanel() {
  const session = useSession();
  const { me, reloadMe } = useHere();
  const [sent, setSent] = useState<OtpSent>();
  const ask = useSubmit(async () => setSent(await session.call<OtpSent>("/api/auth/verification/send")));
  const prove = useSubmit(async (fields) => {
    const body = { requestId: sent?.requestId, code: textOf(fields, "code") };
    await session.call("/api/auth/verification", { body });
    await reloadMe();
  });
  return (
    <section className="pf-card panel" aria-labelledby="verify-title">
      <h2 id="verify-title">Confirm {me.email ?? me.mobile}</h2>
      <p className="pf-muted">Until then, anyone who receives messages there could take over the account.</p>
      {sent ? (
        <form className="stack" onSubmit={prove.onSubmit}>
          <CodeField />
          {prove.problem && <Problem>{prove.problem}</Problem>}
          <button type="submit" className="pf-btn pf-btn-primary" disabled={prove.isBusy}>
            Confirm
          </button>
        </form>
      ) : (
        <div className="row">
          <button
            type="button"
            className="pf-btn pf-btn-primary"
            disabled={ask.isBusy}
            onClick={() => void ask.run()}
          >
            Send me a code
          </button>
        </div>
      )}
      {ask.problem && <Problem>{ask.problem}</Problem>}
    </section>
  );
}

function PasswordPanel() {
  const session = useSession();
  const { me } = useHere();
  const [changes, setChanges] = useState(0);
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const body = {
      currentPassword: passwordOf(fields, "currentPassword"),
      newPassword: passwordOf(fields, "newPassword"),
    };
    await session.call("/api/auth/change-password", { body });
    setChanges(changes + 1);
  });
  return (
    <section className="pf-card panel" aria-labelledby="password-title">
      <h2 id="password-title">Password</h2>
      <form key={changes} className="stack" onSubmit={onSubmit}>
        <input type="hidden" name="username" value={me.email ?? me.mobile ?? ""} autoComplete="username" />
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          required
        />
        <NewPasswordField label="New password" name="newPassword" />
        {problem && <Problem>{problem}</Problem>}
        {changes > 0 && !problem && (
          <Success>The password is changed; every other device is signed out.</Success>
        )}
        <button type="submit" className="pf-btn" disabled={isBusy}>
          Change password
        </button>
      </form>
    </section>
  );
}

function DeactivatePanel() {
  const session = useSession();
  const { me } = useHere();
  const [isOpen, setOpen] = useState(false);
  const deactivate = async (fields: FormData): Promise<void> => {
    const password = passwordOf(fields, "password");
    await session.call("/api/auth/deactivate", { body: password === "" ? {} : { password } });
    await session.signOut();
  };
  return (
    <section className="pf-card panel" aria-labelledby="deactivate-title">
      <h2 id="deactivate-title">Deactivate the account</h2>
      <p className="pf-muted">Nobody can sign in with it any more, and every API key you made stops.</p>
      <div className="row">
        <button type="button" className="pf-btn" onClick={() => setOpen(true)}>
          Deactivate …
        </button>
      </div>
      {isOpen && (
        <FormDialog
          title="Deactivate your account?"
          does="Deactivate"
          isDanger
          onSubmit={deactivate}
          onClose={() => setOpen(false)}
        >
          {me.hasPassword && (
            <PasswordField label="Password" name="password" autoComplete="current-password" required />
          )}
        </FormDialog>
      )}
    </section>
  );
}
