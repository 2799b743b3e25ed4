import type { Overview } from "@parley/shared/contracts/analytics.ts";
import { NoticeList } from "../../app/notice-bell.tsx";
import { useNotices } from "../../app/notices.ts";
import { AppPage } from "../../app/page.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { AppSlot } from "../apps/app-slot.tsx";
import { AgentTable } from "./agent-table.tsx";
import { DayChart } from "./day-chart.tsx";
import { FigureTiles } from "./figure-tiles.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { RecentCalls } from "./recent-calls.tsx";
import { useOverview } from "./use-overview.ts";

/** The start page: what is live, how today is going, and what needs attention. */
export function HomePage() {
  const loaded = useOverview();
  return (
    <AppPage title="Home">
      <Loaded of={loaded}>{(overview) => <Today overview={overview} />}</Loaded>
    </AppPage>
  );
}

function Today({ overview }: { readonly overview: Overview }) {
  return (
    <>
      {!overview.setup.hasTalked && <FirstSteps overview={overview} />}
      <FigureTiles overview={overview} />
      <div className="home-columns">
        <DayChart overview={overview} />
        <Attention />
      </div>
      <AgentTable agents={overview.agents} />
      <AppSlot slot="dashboard_widget" />
      <RecentCalls />
    </>
  );
}

function Attention() {
  const notices = useNotices();
  return (
    <section className="pf-card panel" aria-labelledby="attention-title">
      <h2 id="attention-title">Needs attention</h2>
      <NoticeList notices={notices} />
    </section>
  );
}
