import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { AppPage } from "../../app/page.tsx";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { ConversationPanel } from "./conversation-panel.tsx";
import { ThreadList } from "./thread-list.tsx";
import { type Mode, useThreads } from "./use-threads.ts";

const FILTERS = [
  { value: "", name: "All" },
  { value: "member", name: "Your team" },
  { value: "agent", name: "Agents" },
] as const satisfies readonly { value: Mode | ""; name: string }[];

/** WhatsApp and Instagram conversations, and the one selected by the page's address. */
export function InboxPage() {
  const [params] = useSearchParams();
  const chosen = params.get("thread");
  const [mode, setMode] = useState<Mode | "">("");
  const loaded = useThreads(mode === "" ? undefined : mode);
  return (
    <AppPage title="Inbox">
      <div className={`inbox ${chosen === null ? "" : "inbox-open"}`}>
        <div className="inbox-list">
          <ChoiceBar label="Answered by" options={FILTERS} chosen={mode} onChoose={setMode} />
          <Loaded of={loaded}>
            {(threads) =>
              threads.length === 0 ? (
                <Nothing mode={mode} />
              ) : (
                <ThreadList threads={threads} chosen={chosen} />
              )
            }
          </Loaded>
        </div>
        {chosen === null ? (
          <p className="pf-card panel inbox-hint">Select a conversation to read and answer it.</p>
        ) : (
          <ConversationPanel key={chosen} threadId={chosen} />
        )}
      </div>
    </AppPage>
  );
}

function Nothing({ mode }: { readonly mode: Mode | "" }) {
  if (mode !== "") return <p className="pf-card panel">No conversations here.</p>;
  return (
    <div className="pf-card panel">
      <p>
        No conversations yet. They appear here when someone writes to one of your{" "}
        <Link to="/channels">WhatsApp numbers</Link> or <Link to="/instagram">Instagram accounts</Link>.
      </p>
    </div>
  );
}
