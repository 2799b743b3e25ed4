import type { EndpointState } from "@parley/shared/contracts/endpoint-state.ts";
import type { Delivery } from "@parley/shared/contracts/webhooks.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";

interface Look {
  readonly icon: IconName;
  readonly name: string;
  readonly tone: "good" | "bad" | "warn" | "calm";
}

/** An endpoint's state in words. */
export const STATES: Readonly<Record<EndpointState["kind"], Look>> = {
  healthy: { icon: "check", name: "Healthy", tone: "good" },
  quiet: { icon: "waiting", name: "Quiet", tone: "calm" },
  failing: { icon: "alert", name: "Failing", tone: "warn" },
  disabled: { icon: "stop", name: "Disabled", tone: "bad" },
};

/** A delivery's state in words. */
export const STATUSES: Readonly<Record<Delivery["status"], Look>> = {
  delivered: { icon: "check", name: "Delivered", tone: "good" },
  pending: { icon: "waiting", name: "Pending", tone: "calm" },
  failed: { icon: "alert", name: "Retrying", tone: "warn" },
  dead: { icon: "stop", name: "Failed", tone: "bad" },
};

export function StateBadge({ kind }: { readonly kind: EndpointState["kind"] }) {
  return <Badge {...STATES[kind]} />;
}

export function StatusBadge({ status }: { readonly status: Delivery["status"] }) {
  return <Badge {...STATUSES[status]} />;
}

function Badge({ icon, name, tone }: Look) {
  return (
    <span className={`pf-badge tone-badge tone-${tone}`}>
      <Icon name={icon} />
      {name}
    </span>
  );
}
