import { mount, useContext, usePlatform } from "platform/react";
import { type ChangeEvent, useEffect, useState } from "react";
import { type Lead, readLeads } from "./read-leads.ts";

/** The most that one call of `campaigns.addTargets` takes. */
const ROWS_A_CALL = 1_000;
const SHOWN = 10;

/** Beside a campaign's people: keeps the file, and has it looked at in a modal. */
function Upload() {
  const { campaignId = "" } = useContext<{ campaignId?: string }>();
  const platform = usePlatform();
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = target.files ?? [];
    if (!file) return;
    const path = `imports/${campaignId}/${Date.now()}.csv`;
    await platform.files.put(path, file);
    await platform.ui.openModal("review", { campaignId, path }, { size: "large" });
  };
  return (
    <label>
      CSV file with a column “phone”{" "}
      <input
        className="pf-input"
        type="file"
        accept=".csv,text/csv"
        onChange={(event) => void choose(event)}
      />
    </label>
  );
}

/** In the modal: who would be added. */
function Review() {
  const { campaignId = "", path = "" } = useContext<{ campaignId?: string; path?: string }>();
  const platform = usePlatform();
  const [leads, setLeads] = useState<readonly Lead[]>();
  const [problem, setProblem] = useState("");
  const fail = (error: unknown): void => setProblem(error instanceof Error ? error.message : String(error));
  useEffect(() => {
    platform.files
      .get(path)
      .then((bytes) => setLeads(readLeads(new TextDecoder().decode(bytes))))
      .catch(fail);
  }, [platform, path]);
  const add = async (all: readonly Lead[]): Promise<void> => {
    let added = 0;
    for (let at = 0; at < all.length; at += ROWS_A_CALL)
      added += (await platform.campaigns.addTargets(campaignId, all.slice(at, at + ROWS_A_CALL))).added;
    await platform.files.delete(path);
    await platform.ui.toast(`Added ${added} of ${all.length} people.`);
    await platform.ui.refresh("campaign-targets");
    await platform.ui.closeModal();
  };
  if (problem !== "") return <p role="alert">{problem}</p>;
  if (!leads) return <p className="pf-muted">Reading the file…</p>;
  const columns = Object.keys(leads[0] ?? {});
  return (
    <>
      <table className="pf-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {leads.slice(0, SHOWN).map((lead) => (
            <tr key={lead.phone}>
              {columns.map((column) => (
                <td key={column}>{lead[column]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button
        type="button"
        className="pf-btn pf-btn-primary"
        disabled={leads.length === 0}
        onClick={() => void add(leads).catch(fail)}
      >
        Add {leads.length} people
      </button>
    </>
  );
}

function App() {
  const { page } = useContext();
  return page === "review" ? <Review /> : <Upload />;
}

mount(App);
