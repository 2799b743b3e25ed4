import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { PasswordField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { later } from "../../ui/later.ts";
import { Skeleton } from "../../ui/loaded.tsx";
import { passwordOf } from "../../ui/use-submit.ts";
import { SecondFactorPanel } from "./second-factor-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";

const PasswordPanel = later(async () => (await import("./password-panel.tsx")).PasswordPanel, Skeleton);
const VerifyPanel = later(async () => (await import("./verify-panel.tsx")).VerifyPanel, Skeleton);

// Shown with the page.
void PasswordPanel.preload();
void VerifyPanel.preload();

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
      <h2 id="deactivate-title">Deactivate account</h2>
      <p className="pf-muted">Nobody can sign in with it, and every API key you created stops working.</p>
      <div className="row">
        <button type="button" className="pf-btn" onClick={() => setOpen(true)}>
          Deactivate
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
          <p>You’re signed out everywhere, and every API key you created stops working.</p>
          {me.hasPassword && (
            <PasswordField label="Password" name="password" autoComplete="current-password" required />
          )}
        </FormDialog>
      )}
    </section>
  );
}
