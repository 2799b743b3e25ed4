import type { PhoneNumber, UpdateNumber } from "@parley/shared/contracts/telephony.ts";
import { ChoiceField } from "../../ui/field.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { memberName } from "../settings/use-members.ts";
import { type Holders, whyNotRung } from "./use-holders.ts";

const NAME = "holder";

/** The API fields that a `HolderField` covers. */
export const HOLDER_FIELDS = ["agentId", "userId"] as const;

interface HolderFieldProps {
  readonly holders: Holders;
  /** The current holder. */
  readonly holder: Pick<PhoneNumber, "agentId" | "userId">;
  readonly faults: Readonly<Record<string, string>>;
}

/** Chooses whom calls to a number ring: a member, an agent or no one. */
export function HolderField({ holders, holder, faults }: HolderFieldProps) {
  const { agents, members, ownId } = holders;
  const before = choiceOf(holder);
  const isListed =
    before === "" ||
    agents.has(holder.agentId ?? "") ||
    members.some(({ userId }) => holder.agentId === null && userId === holder.userId);
  return (
    <ChoiceField
      // The default must be among the options from the start.
      key={`${agents.size} ${members.length}`}
      label="Calls to it ring"
      name={NAME}
      defaultValue={before}
      fault={faults.agentId ?? faults.userId}
      hint="Members answer in their softphone, and the calls they make come from this number."
    >
      <option value="">Nobody</option>
      {!isListed && <option value={before}>{holder.agentId ?? holder.userId}</option>}
      <optgroup label="Members">
        {members.map((member) => {
          const why = whyNotRung(member);
          const notes = [member.userId === ownId ? "you" : undefined, why].filter(Boolean).join(", ");
          return (
            <option key={member.userId} value={`user ${member.userId}`} disabled={why !== undefined}>
              {memberName(member)} {notes !== "" && `(${notes})`}
            </option>
          );
        })}
      </optgroup>
      {agents.size > 0 && (
        <optgroup label="Agents">
          {[...agents].map(([id, name]) => (
            <option key={id} value={`agent ${id}`}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
    </ChoiceField>
  );
}

function choiceOf({ agentId, userId }: HolderFieldProps["holder"]): string {
  if (agentId !== null) return `agent ${agentId}`;
  return userId === null ? "" : `user ${userId}`;
}

/**
 * The chosen holder as the API takes it; empty when unchanged. A number answered by an agent may also be
 * allocated to a member for outgoing calls; another agent leaves that allocation alone.
 */
export function chosenHolder(
  fields: FormData,
  before: HolderFieldProps["holder"],
): Pick<UpdateNumber, "agentId" | "userId"> {
  // A member who may no longer call cannot be chosen, but is kept.
  const isKept = fields.get(NAME) === null || textOf(fields, NAME) === choiceOf(before);
  if (isKept) return {};
  const [kind, id = ""] = textOf(fields, NAME).split(" ");
  if (kind === "user") return { agentId: null, userId: id };
  if (kind !== "agent") return { agentId: null, userId: null };
  return { agentId: id, userId: before.agentId === null ? null : before.userId };
}
