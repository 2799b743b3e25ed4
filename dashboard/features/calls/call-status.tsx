import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { isOpenChat, statusText } from "./call-labels.ts";

type Look = readonly [tone: "good" | "bad" | "warn" | "calm", icon: IconName];

const LOOKS: Readonly<Record<string, Look>> = {
  ringing: ["calm", "waiting"],
  "in-progress": ["good", "microphone"],
  completed: ["good", "check"],
  failed: ["bad", "stop"],
  "no-answer": ["warn", "alert"],
  busy: ["warn", "alert"],
};
const OTHER: Look = ["calm", "waiting"];
const OPEN_CHAT: Look = ["calm", "keyboard"];

/** A call's outcome in a word and an icon. */
export function CallStatus({ call }: { readonly call: Pick<CallSummary, "status" | "channel"> }) {
  const [tone, icon] = isOpenChat(call) ? OPEN_CHAT : (LOOKS[call.status] ?? OTHER);
  return (
    <span className={`pf-badge tone-badge tone-${tone}`}>
      <Icon name={icon} />
      {statusText(call)}
    </span>
  );
}
