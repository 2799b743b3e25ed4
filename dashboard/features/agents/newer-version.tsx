import type { Agent } from "@parley/shared/contracts/agents.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { agentPath, useEditor } from "./use-editor.tsx";

/** How often to look for other people's versions. */
const LOOK_MS = 4_000;

/** Reports another person's newer version before saving; local changes stay. */
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
      Version {data.version} was saved meanwhile.
      <button type="button" className="pf-btn" onClick={() => (isChanged ? see(data) : adopt(data))}>
        Show version {data.version}
      </button>
    </p>
  );
}
