import type { Agent } from "@parley/shared/contracts/agents.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { agentPath, useEditor } from "./use-editor.tsx";

/** How soon somebody else's version is seen here. */
const LOOK_MS = 4_000;

/** Says that somebody else saved meanwhile, before one saves oneself; what was changed here stays. */
export function NewerVersion() {
  const { agent, theirs, isChanged, isBusy, adopt, see } = useEditor();
  const session = useSession();
  const { org } = useHere();
  const path = agentPath(encodeURIComponent(agent.id));
  const { data } = useData(
    `${path}#newest`,
    () => session.call<Agent>(path, { method: "GET", orgId: org.id }),
    { everyMs: LOOK_MS },
  );
  if (!data || data.version <= agent.version || theirs || isBusy) return null;
  return (
    <p className="row" role="status">
      Version {data.version} was made meanwhile.
      <button type="button" className="pf-btn" onClick={() => (isChanged ? see(data) : adopt(data))}>
        Show it
      </button>
    </p>
  );
}
