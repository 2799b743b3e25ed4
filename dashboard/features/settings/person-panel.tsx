import type { PersonalDataSummary } from "@parley/shared/contracts/personal-data.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { textOf, useSubmit } from "../../ui/use-submit.ts";

interface Found extends PersonalDataSummary {
  readonly identifier: string;
}

const KINDS: Readonly<Record<string, string>> = {
  analyses: "analyses",
  "campaign-lists": "entries of campaign lists",
  "campaign-targets": "campaign targets",
  calls: "calls and chats",
  collected: "collected values",
  "demo-shop-bookings": "demo shop bookings",
  leads: "visitor details",
  "leads-without-a-call": "visitor details",
  memory: "remembered facts",
  messages: "WhatsApp messages",
  recordings: "recordings",
  tools: "tool calls",
  transcript: "things said",
};

/** Finds the data kept about one person, for access and erasure requests. */
export function PersonPanel() {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/personal-data`;
  const [found, setFound] = useState<Found>();
  const [isErasing, setErasing] = useState(false);
  const [said, say] = useState<string>();
  const search = useSubmit(async (fields) => {
    say(undefined);
    setFound(undefined);
    const identifier = textOf(fields, "identifier");
    const query = new URLSearchParams({ identifier });
    const summary = await session.call<PersonalDataSummary>(`${path}?${query}`, {
      method: "GET",
      orgId: org.id,
    });
    setFound({ ...summary, identifier });
  });
  const download = useSubmit(async () => {
    const query = new URLSearchParams({ identifier: found?.identifier ?? "" });
    const response = await session.open(`${path}/export?${query}`, { method: "GET", orgId: org.id });
    saveFile(await response.blob(), "personal-data.zip");
  });
  const erase = async (): Promise<void> => {
    const body = { identifier: found?.identifier };
    const { erased, entries, open } = await session.call<{ erased: number; entries: number; open: number }>(
      `${path}/erase`,
      { orgId: org.id, body },
    );
    setErasing(false);
    setFound(undefined);
    say(
      `${countOf(erased, "session")}${entries > 0 ? ` and ${countOf(entries, "entry")}` : ""} erased.${open > 0 ? ` ${countOf(open, "session")} still open: try again when over.` : ""}`,
    );
  };
  return (
    <section className="pf-card panel" aria-labelledby="person-title">
      <h2 id="person-title">Data of one person</h2>
      <p className="pf-muted">
        Find everything kept of a caller or contact, to hand it out or erase it on request.
      </p>
      <form onSubmit={search.onSubmit} className="row try-it">
        <Field
          label="Phone number or identifier"
          name="identifier"
          maxLength={128}
          autoComplete="off"
          required
        />
        <button type="submit" className="pf-btn" aria-disabled={search.isBusy}>
          Find
        </button>
      </form>
      {search.problem && <Problem>{search.problem}</Problem>}
      {said && <Success>{said}</Success>}
      {found && (
        <>
          <p role="status">{foundText(found)}</p>
          <div className="row">
            <button
              type="button"
              className="pf-btn"
              aria-disabled={download.isBusy}
              onClick={() => void download.run()}
            >
              Download
            </button>
            <button type="button" className="pf-btn" onClick={() => setErasing(true)}>
              Erase
            </button>
          </div>
          {download.problem && <Problem>{download.problem}</Problem>}
        </>
      )}
      {found && isErasing && (
        <FormDialog
          title={`Erase the data of ${found.identifier}?`}
          does="Erase"
          isDanger
          onSubmit={erase}
          onClose={() => setErasing(false)}
        >
          <p>
            Transcripts, recordings, analyses and messages of {countOf(found.sessions, "session")} are
            deleted, and who they were with. That they took place, and what they cost, stays. This can’t be
            undone.
          </p>
        </FormDialog>
      )}
    </section>
  );
}

function foundText({ sessions, open, kinds }: Found): string {
  const parts = kinds.map(({ name, count }) => `${KINDS[name] ?? name} ${count}`);
  const still = open > 0 ? ` ${open} still open, which can’t be erased yet.` : "";
  return `${countOf(sessions, "session")}: ${parts.join(" · ")}.${still}`;
}

function countOf(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`.replace(/ys$/, "ies")}`;
}
