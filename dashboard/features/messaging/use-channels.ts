import type {
  Channel,
  connectedChannelResponseSchema,
  templatesResponseSchema,
} from "@parley/shared/contracts/messaging.ts";
import type { z } from "zod";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** A number, with the settings to enter at Meta. */
export type ConnectedChannel = z.infer<typeof connectedChannelResponseSchema>["data"];
export type Template = z.infer<typeof templatesResponseSchema>["data"]["templates"][number];

/** API path of an organization's WhatsApp numbers. */
export function channelsPath(orgId: string): string {
  return `/api/orgs/${orgId}/whatsapp-cloud/channels`;
}

export function useChannels(): Data<readonly Channel[]> {
  const session = useSession();
  const { org } = useHere();
  const path = channelsPath(org.id);
  return useData(
    path,
    async () => {
      const { channels } = await session.call<{ channels: readonly Channel[] }>(path, {
        method: "GET",
        orgId: org.id,
      });
      return channels;
    },
    { isList: true },
  );
}

export function useChannel(id: string): Data<ConnectedChannel> {
  const session = useSession();
  const { org } = useHere();
  const path = `${channelsPath(org.id)}/${id}`;
  return useData(path, () => session.call<ConnectedChannel>(path, { method: "GET", orgId: org.id }));
}

/** Templates of a number's business account, always requested from WhatsApp; none without a number. */
export function useTemplates(channelId: string | undefined): Data<readonly Template[]> {
  const session = useSession();
  const { org } = useHere();
  const path = `${channelsPath(org.id)}/${channelId ?? ""}/templates`;
  return useData(path, async () => {
    if (channelId === undefined) return [];
    const { templates } = await session.call<{ templates: readonly Template[] }>(path, {
      method: "GET",
      orgId: org.id,
    });
    return templates;
  });
}
