import type { OrgNotice } from "@parley/shared/contracts/notices.ts";
import type { LinkProps } from "@tanstack/react-router";
import { reasonOf } from "../api/api-error.ts";
import { useOrgNotices } from "../api/use-org-notices.ts";
import { useHere, useSession } from "../api/use-session.ts";
import { toast, toastProblem } from "../ui/toast.ts";

/** Something that needs a person's attention: where, or what can be done about it on the spot. */
export type Notice = {
  readonly key: string;
  readonly title: string;
  readonly text: string;
} & ({ readonly link: Pick<LinkProps, "to" | "params"> } | { readonly does: Deed });

interface Deed {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** What waits for the person, and what is broken in the shown organization. */
export function useNotices(): readonly Notice[] {
  const invitations = useInvitations();
  const { data = [] } = useOrgNotices();
  return [...invitations, ...data.map(shownNotice)];
}

function shownNotice(notice: OrgNotice): Notice {
  const { kind, id } = notice;
  switch (kind) {
    case "webhook_disabled":
      return {
        key: id,
        title: `Webhook: ${hostOf(notice.url)}`,
        text: `Disabled: ${notice.reason}`,
        link: { to: "/webhooks/$id", params: { id } },
      };
    case "webhook_failing":
      return {
        key: id,
        title: `Webhook: ${hostOf(notice.url)}`,
        text: `${notice.missed} of ${notice.tried} deliveries failed lately.`,
        link: { to: "/webhooks/$id", params: { id } },
      };
    case "connection_failed":
      return {
        key: id,
        title: `Integration: ${notice.label}`,
        text: notice.reason ?? "The connection does not work.",
        link: { to: "/integrations/connections/$id", params: { id } },
      };
    case "carrier_refuses":
      return {
        key: id,
        title: `Carrier: ${notice.carrier}`,
        text: `It rejects the credentials of ${notice.account}, so calls can’t be placed. Replace them.`,
        link: { to: "/numbers" },
      };
    default:
      return notice satisfies never;
  }
}

/** Invitations to the person's verified address. */
function useInvitations(): Notice[] {
  const session = useSession();
  const { me, reloadMe } = useHere();
  return me.invitations.map(({ id, orgName, role }) => ({
    key: id,
    title: `Invitation: ${orgName}`,
    text: `Join as ${role}.`,
    does: {
      name: "Accept",
      run: async () => {
        try {
          await session.call(`/api/invitations/${id}/accept`, { method: "POST" });
          toast(`You joined ${orgName}. Switch to it in the organization menu.`);
        } catch (error) {
          toastProblem(reasonOf(error));
        }
        await reloadMe();
      },
    },
  }));
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
