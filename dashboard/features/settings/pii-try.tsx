import { useId, useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { type PolicyDraft, toPolicy } from "./pii-draft.ts";

/** Shows what the policy as edited above makes of a text. */
export function PiiTry({ path, draft }: { readonly path: string; readonly draft: PolicyDraft }) {
  const id = useId();
  const session = useSession();
  const { org } = useHere();
  const [masked, setMasked] = useState<string>();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const body = { policy: toPolicy(draft), text: textOf(fields, "text") };
    setMasked((await session.call<{ masked: string }>(path, { orgId: org.id, body })).masked);
  });
  return (
    <form className="stack pii-form pii-try" onSubmit={onSubmit}>
      <div className="field">
        <label htmlFor={id}>Preview before saving</label>
        <textarea
          id={id}
          name="text"
          className="pf-textarea"
          rows={3}
          maxLength={4_000}
          defaultValue="My card is 4111 1111 1111 1111, write to ada@example.com."
          required
        />
      </div>
      {problem && <Problem>{problem}</Problem>}
      <div className="row">
        <button type="submit" className="pf-btn" disabled={isBusy}>
          Preview
        </button>
      </div>
      <output className="pii-masked" hidden={masked === undefined}>
        {masked}
      </output>
    </form>
  );
}
