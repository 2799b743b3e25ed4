import type { IntegrationConnection } from "@parley/shared/contracts/integrations.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";

interface Look {
  readonly icon: IconName;
  readonly name: string;
  readonly tone: "good" | "bad" | "warn" | "calm";
}

const STATUSES: Readonly<Record<IntegrationConnection["status"], Look>> = {
  active: { icon: "check", name: "Working", tone: "good" },
  error: { icon: "alert", name: "Needs attention", tone: "bad" },
  disconnected: { icon: "waiting", name: "Sign-in not finished", tone: "calm" },
};

const WARNED: Look = { icon: "alert", name: "Working, with a warning", tone: "warn" };

interface ConnectionStatusProps extends Pick<IntegrationConnection, "status"> {
  /** A problem that does not stop it from working. */
  readonly isWarned?: boolean;
}

/** A connection's status in words. */
export function statusText({
  status,
  warnings,
}: Pick<IntegrationConnection, "status"> & { readonly warnings: readonly string[] }): string {
  return lookOf(status, warnings.length > 0).name;
}

function lookOf(status: IntegrationConnection["status"], isWarned: boolean): Look {
  return status === "active" && isWarned ? WARNED : STATUSES[status];
}

/** A connection's status. */
export function ConnectionStatus({ status, isWarned = false }: ConnectionStatusProps) {
  const { icon, name, tone } = lookOf(status, isWarned);
  return (
    <span className={`pf-badge tone-badge tone-${tone}`}>
      <Icon name={icon} />
      {name}
    </span>
  );
}
