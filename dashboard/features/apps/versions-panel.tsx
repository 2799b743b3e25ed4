import { useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Problem } from "../../ui/messages.tsx";
import { Time } from "../../ui/time.tsx";
import type { AppDetail } from "./use-app.ts";

interface VersionsPanelProps {
  readonly app: AppDetail;
  readonly path: string;
  readonly onChanged: () => Promise<void>;
}

/** Published versions; activating an older one rolls back. */
export function VersionsPanel({ app, path, onChanged }: VersionsPanelProps) {
  const session = useSession();
  const { org } = useHere();
  const [problem, setProblem] = useState<string>();
  const canPublish = app.own && ["owner", "admin", "developer"].includes(org.role);
  const activate = async (version: string): Promise<void> => {
    setProblem(undefined);
    try {
      await session.call(`${path}/versions/${version}/activate`, { method: "POST", orgId: org.id });
      await onChanged();
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  return (
    <section className="pf-card panel">
      <h2>Versions</h2>
      {problem && <Problem>{problem}</Problem>}
      <ul className="app-lines">
        {app.versions.map(({ version, active, withdrawnAt, createdAt, problems }) => (
          <li key={version}>
            {version} <Time at={createdAt} /> {active && <span className="pf-badge">Active</span>}
            {withdrawnAt !== null && <span className="pf-badge">Withdrawn</span>}
            {canPublish && !active && withdrawnAt === null && (
              <button type="button" className="pf-btn pf-btn-quiet" onClick={() => void activate(version)}>
                Activate {version}
              </button>
            )}
            {problems.map(({ code, message, file, line }) => (
              <p key={`${code} ${file} ${line} ${message}`} className="pf-muted">
                {code}: {message} {file !== undefined && `(${file}${line === undefined ? "" : `:${line}`})`}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
