import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { CodeField } from "../../ui/credential-fields.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Problem } from "../../ui/messages.tsx";
import { SecretText } from "../../ui/secret-text.tsx";
import { passwordOf, textOf, useSubmit } from "../../ui/use-submit.ts";

interface Enrollment {
  readonly secret: string;
  readonly qrCode: string;
}

type Open =
  | { readonly at: "none" }
  | { readonly at: "enroll"; readonly enrollment: Enrollment }
  | { readonly at: "codes"; readonly recoveryCodes: readonly string[] }
  | { readonly at: "disable" };

/** Turns the second factor on, with a QR code and recovery codes, or off with the password. */
export function SecondFactorPanel() {
  const session = useSession();
  const { me, reloadMe } = useHere();
  const [open, setOpen] = useState<Open>({ at: "none" });
  const close = (): void => setOpen({ at: "none" });
  const begin = useSubmit(async () => {
    setOpen({ at: "enroll", enrollment: await session.call<Enrollment>("/api/auth/mfa/setup") });
  });
  const confirmed = async (recoveryCodes: readonly string[]): Promise<void> => {
    setOpen({ at: "codes", recoveryCodes });
    await reloadMe();
  };
  return (
    <section className="pf-card panel" aria-labelledby="mfa-title">
      <h2 id="mfa-title">Two-factor authentication</h2>
      <p>
        <span className="pf-badge">{me.mfaEnabled ? "On" : "Off"}</span>{" "}
        {me.mfaEnabled
          ? "Sign-in requires a code from your authenticator app."
          : "Require a code from your authenticator app when you sign in."}
      </p>
      {begin.problem && <Problem>{begin.problem}</Problem>}
      <div className="row">
        {me.mfaEnabled ? (
          <button type="button" className="pf-btn" onClick={() => setOpen({ at: "disable" })}>
            Turn off
          </button>
        ) : (
          <button
            type="button"
            className="pf-btn pf-btn-primary"
            disabled={begin.isBusy}
            onClick={() => void begin.run()}
          >
            Turn on
          </button>
        )}
      </div>
      {open.at === "enroll" && (
        <Enroll enrollment={open.enrollment} onClose={close} onConfirmed={confirmed} />
      )}
      {open.at === "codes" && <RecoveryCodes codes={open.recoveryCodes} onClose={close} />}
      {open.at === "disable" && <Disable onClose={close} />}
    </section>
  );
}

interface EnrollProps {
  readonly enrollment: Enrollment;
  readonly onClose: () => void;
  readonly onConfirmed: (recoveryCodes: readonly string[]) => Promise<void>;
}

function Enroll({ enrollment, onClose, onConfirmed }: EnrollProps) {
  const session = useSession();
  const confirm = async (fields: FormData): Promise<void> => {
    const body = { code: textOf(fields, "code") };
    const { recoveryCodes } = await session.call<{ recoveryCodes: string[] }>("/api/auth/mfa/verify", {
      body,
    });
    await onConfirmed(recoveryCodes);
  };
  return (
    <FormDialog title="Turn on two-factor authentication" does="Turn on" onSubmit={confirm} onClose={onClose}>
      <p>Scan this with an authenticator app, or type the secret into it.</p>
      <img
        className="qr"
        src={enrollment.qrCode}
        alt="QR code of the secret below"
        width="240"
        height="240"
      />
      <SecretText label="Secret" text={enrollment.secret} />
      <CodeField label="6-digit code" />
    </FormDialog>
  );
}

function RecoveryCodes({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) {
  return (
    <Dialog title="Save your recovery codes" isKept onClose={onClose}>
      <p>Each code signs you in once if you lose your app. You won’t see them again.</p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row">
        <CopyButton label="recovery codes" text={codes.join("\n")} />
        <a
          className="pf-btn"
          download="parley-recovery-codes.txt"
          href={`data:text/plain,${encodeURIComponent(`${codes.join("\n")}\n`)}`}
        >
          Download
        </a>
      </div>
      <button type="button" className="pf-btn pf-btn-primary" onClick={onClose}>
        I’ve saved these codes
      </button>
    </Dialog>
  );
}

function Disable({ onClose }: { readonly onClose: () => void }) {
  const session = useSession();
  const { me, reloadMe } = useHere();
  const disable = async (fields: FormData): Promise<void> => {
    const body = me.hasPassword
      ? { password: passwordOf(fields, "password") }
      : { code: textOf(fields, "code") };
    await session.call("/api/auth/mfa/disable", { body });
    await reloadMe();
    onClose();
  };
  return (
    <FormDialog
      title="Turn off two-factor authentication?"
      does="Turn off"
      isDanger
      onSubmit={disable}
      onClose={onClose}
    >
      {me.hasPassword ? (
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
      ) : (
        <CodeField label="6-digit code" />
      )}
    </FormDialog>
  );
}
