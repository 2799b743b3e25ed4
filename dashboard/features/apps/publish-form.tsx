import type { AppProblem } from "@parley/shared/contracts/apps.ts";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

const PUBLISHERS: readonly string[] = ["owner", "admin", "developer"];

/** Publishes a bundle as the new active version. Refused checks show file and line. */
export function PublishButton({ onPublished }: { readonly onPublished: () => Promise<void> }) {
  const session = useSession();
  const { org } = useHere();
  const [isOpen, setOpen] = useState(false);
  const [problems, setProblems] = useState<readonly AppProblem[]>([]);
  if (!PUBLISHERS.includes(org.role)) return null;
  const publish = async (fields: FormData): Promise<void> => {
    setProblems([]);
    const chosen = fields.get("bundle");
    if (!(chosen instanceof File)) return;
    const file = new Blob([chosen], { type: "application/zip" });
    const path = `/api/orgs/${org.id}/apps/versions?activate=true`;
    try {
      await session.call(path, { method: "POST", orgId: org.id, file });
    } catch (error) {
      setProblems(problemsOf(error));
      throw error;
    }
    setOpen(false);
    await onPublished();
  };
  return (
    <>
      <button type="button" className="pf-btn pf-btn-primary" onClick={() => setOpen(true)}>
        Publish app
      </button>
      {isOpen && (
        <FormDialog title="Publish app" does="Publish app" onSubmit={publish} onClose={() => setOpen(false)}>
          <Field
            label="Bundle (zip)"
            type="file"
            name="bundle"
            accept=".zip,application/zip"
            hint={
              <>
                At most 10 MB, with platform.app.json in it. <code>npx parley app publish</code> makes and
                sends one by itself.
              </>
            }
            required
          />
          {problems.map(({ code, message, file, line }) => (
            <p key={`${code} ${file} ${line} ${message}`} className="field-fault">
              {code}: {message} {file !== undefined && `(${file}${line === undefined ? "" : `:${line}`})`}
            </p>
          ))}
        </FormDialog>
      )}
    </>
  );
}

function problemsOf(error: unknown): readonly AppProblem[] {
  const problems: unknown = error instanceof ApiError ? error.details.problems : undefined;
  return Array.isArray(problems) ? (problems as AppProblem[]) : [];
}
