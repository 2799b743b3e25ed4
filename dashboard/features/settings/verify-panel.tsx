import { type OtpSent, verifyIdentifierSchema } from "@parley/shared/contracts/accounts.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { CodeField } from "../../ui/credential-fields.tsx";
import { Problem } from "../../ui/messages.tsx";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { toast } from "../../ui/toast.ts";
import { useSubmit } from "../../ui/use-submit.ts";

/** Proves that the account's address is the person's own. */
export function VerifyPanel() {
  const session = useSession();
  const { me, reloadMe } = useHere();
  const [sent, setSent] = useState<OtpSent>();
  const ask = useSubmit(async () => setSent(await session.call<OtpSent>("/api/auth/verification/send")));
  const form = useSchemaForm({
    schema: verifyIdentifierSchema,
    values: { code: "" },
    body: ({ code }) => ({ requestId: sent?.requestId, code }),
    send: async (body) => {
      await session.call("/api/auth/verification", { body });
      toast("Confirmed.");
      await reloadMe();
    },
  });
  return (
    <section className="pf-card panel" aria-labelledby="verify-title">
      <h2 id="verify-title">Confirm {me.email ?? me.mobile}</h2>
      <p className="pf-muted">Until then, anyone who receives messages there could take over the account.</p>
      {sent ? (
        <SchemaForm form={form} does="Confirm" isMain>
          <CodeField {...form.field("code", "6-digit code")} />
        </SchemaForm>
      ) : (
        <div className="row">
          <button
            type="button"
            className="pf-btn pf-btn-primary"
            disabled={ask.isBusy}
            onClick={() => void ask.run()}
          >
            Send code
          </button>
        </div>
      )}
      {ask.problem && <Problem>{ask.problem}</Problem>}
    </section>
  );
}
