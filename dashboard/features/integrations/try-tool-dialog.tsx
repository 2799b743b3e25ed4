import type { ToolTry } from "@parley/shared/contracts/tool-tries.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ArgumentField, enteredArguments } from "./argument-field.tsx";
import type { Argument } from "./argument-list.ts";

interface TryToolDialogProps {
  /** The tool as an agent's settings hold it. */
  readonly tool: Readonly<Record<string, unknown>>;
  readonly name: string;
  /** Arguments to fill in; fixed ones are not included. */
  readonly given: readonly Argument[];
  readonly isWrite: boolean;
  readonly onClose: () => void;
}

interface Tried extends ToolTry {
  readonly request: Readonly<Record<string, unknown>>;
}

/** Runs a tool for real; shows the request, the result, and how long it took. */
export function TryToolDialog({ tool, name, given, isWrite, onClose }: TryToolDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const [tried, setTried] = useState<Tried>();
  const run = async (fields: FormData): Promise<void> => {
    setTried(undefined);
    const request = enteredArguments(fields, given);
    const body = { tool, arguments: request };
    const answer = await session.call<ToolTry>(`/api/orgs/${org.id}/tools/try`, { orgId: org.id, body });
    setTried({ ...answer, request });
  };
  return (
    <FormDialog
      title={`Try ${name}`}
      does={isWrite ? "Run for real" : "Run"}
      leave="Close"
      size="wide"
      onSubmit={run}
      onClose={onClose}
    >
      {isWrite ? (
        <p>This changes something in the connected system, as in a call. Nobody is asked first.</p>
      ) : (
        <p className="pf-muted">Runs as in a call. It counts against the vendor’s limits.</p>
      )}
      {given.length === 0 && <p>There is nothing to fill in.</p>}
      {given.map((argument) => (
        <ArgumentField
          key={argument.name}
          argument={argument}
          name={`argument.${argument.name}`}
          label={argument.isRequired ? argument.name : `${argument.name} (optional)`}
          isRequired={argument.isRequired}
        />
      ))}
      {tried && <Answer tried={tried} />}
    </FormDialog>
  );
}

const STATUS_NAMES: Readonly<Record<string, string>> = {
  success: "Done",
  error: "Failed",
  not_found: "Not found",
  abandoned: "Abandoned",
};

function Answer({ tried: { request, status, result, tookMs } }: { readonly tried: Tried }) {
  return (
    <section className="stack" aria-label="Answer">
      <p role="status">
        <strong>{STATUS_NAMES[status] ?? status}</strong> after {tookMs} ms
      </p>
      <CodeBlock label="Request" text={JSON.stringify(request, null, 2)} />
      <CodeBlock label="Answer" text={JSON.stringify(result, null, 2)} />
    </section>
  );
}
