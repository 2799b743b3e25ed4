import { isDevOrigin } from "@parley/platform/host/frame-address.ts";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useHere } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { mayPreview, previewOf, setPreview } from "./dev-preview.ts";

const DEFAULT = "http://localhost:5174";

/** Shows a development server's build instead of the installed version, in this browser, on real data. */
export function PreviewPanel({ appId }: { readonly appId: string }) {
  const here = useHere();
  const [shown, show] = useState(() => previewOf(appId));
  const { onSubmit, problem } = useSubmit(async (fields) => {
    const address = textOf(fields, "origin").replace(/\/$/, "");
    if (!isDevOrigin(address)) {
      throw new ApiError(400, {
        error: `Enter the address of a server on this machine, such as ${DEFAULT}.`,
      });
    }
    setPreview(appId, address);
    show(address);
  });
  if (!mayPreview(here)) return null;
  const stop = (): void => {
    setPreview(appId, undefined);
    show(undefined);
  };
  return (
    <section className="pf-card panel">
      <h2>Dev preview</h2>
      {shown === undefined ? (
        <form onSubmit={onSubmit} className="stack">
          <Field
            label="Dev server"
            name="origin"
            defaultValue={DEFAULT}
            hint="Where your build is served. Only this browser shows it, with your organization’s real data."
          />
          {problem && <Problem>{problem}</Problem>}
          <button type="submit" className="pf-btn preview-start">
            Start preview
          </button>
        </form>
      ) : (
        <>
          <p>Pages of this app come from {shown} in this browser.</p>
          <button type="button" className="pf-btn" onClick={stop}>
            Stop preview
          </button>
        </>
      )}
    </section>
  );
}
