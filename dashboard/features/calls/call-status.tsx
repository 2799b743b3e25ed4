import { Icon, type IconName } from "../../ui/icon.tsx";
import { nameIn, STATUS_NAMES } from "./call-labels.ts";

const LOOKS: Readonly<Record<string, readonly [tone: "good" | "bad" | "warn" | "calm", icon: IconName]>> = {
  ringing: ["calm", "waiting"],
  "in-progress": ["good", "microphone"],
  completed: ["good", "check"],
  failed: ["bad", "stop"],
  "no-answer": ["warn", "alert"],
  busy: ["warn", "alert"],
};

/** A call's outcome in a word and an icon. */
export function CallStatus({ status }: { readonly status: string }) {
  const [tone, icon] = LOOKS[status] ?? ["calm", "waiting"];
  return (
    <span className={`pf-badge tone-badge tone-${tone}`}>
      <Icon name={icon} />
      {nameIn(STATUS_NAMES, status)}
    </span>
  );
}
