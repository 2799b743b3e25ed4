import type { PhoneNumber, UpdateNumber } from "@parley/shared/contracts/telephony.ts";
import type { ComponentProps } from "react";
import { ChoiceField } from "../../ui/field.tsx";
import { memberName } from "../settings/use-members.ts";
import { type Holders, whyNotRung } from "./use-holders.ts";

/** Where the holder is typed: a member or an agent, in one choice. */
export const HOLDER_PLACES = { agentId: "holder", userId: "holder" } as const;

interface HolderFieldProps extends Omit<ComponentProps<typeof ChoiceField>, "children" | "hint" | "label"> {
  readonly holders: Holders;
  /** The current holder. */
  readonly holder: Pick<PhoneNumber, "agentId" | "userId">;
}

/** Chooses whom calls to a number ring: a member, an agent or no one. */
export function HolderField({ holders, holder, ...field }: HolderFieldProps) {
  const { agents, members, ownId } = holders;
  const before = choiceOf(holder);
  const isListed =
    before === "" ||
    agents.has(holder.agentId ?? "") ||
    members.some(({ userId }) => holder.agentId === null && userId === holder.userId);
  return (
    <ChoiceField
      // What is chosen must be among the options from the start.
      key={`${agents.size} ${members.length}`}
      {...field}
      label="Calls ring"
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

/** A holder as a choice of the field. */
export function choiceOf({ agentId, userId }: HolderFieldProps["holder"]): string {
  if (agentId !== null) return `agent ${agentId}`;
  return userId === null ? "" : `user ${userId}`;
}

/**
 * The chosen holder as the API takes it; empty when unchanged. A number answered by an agent may also be
 * allocated to a member for outgoing calls; another agent leaves that allocation alone.
 */
export function chosenHolder(
  choice: string,
  before: HolderFieldProps["holder"],
): Pick<UpdateNumber, "agentId" | "userId"> {
  if (choice === choiceOf(before)) return {};
  const [kind, id = ""] = choice.split(" ");
  if (kind === "user") return { agentId: null, userId: id };
  if (kind !== "agent") return { agentId: null, userId: null };
  return { agentId: id, userId: before.agentId === null ? null : before.userId };
}
