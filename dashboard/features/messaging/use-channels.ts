import type {
  Channel,
  connectedChannelResponseSchema,
  templatesResponseSchema,
} from "@parley/shared/contracts/messaging.ts";
import type { z } from "zod";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** A number, with what to enter at Meta. */
export type ConnectedChannel = z.infer<typeof connectedChannelResponseSchema>["data"];
export type Template = z.infer<typeof templatesResponseSchema>["data"]["templates"][number];

/** Where an organization's WhatsApp numbers are asked for. */
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

/** The templates of a number's business account; asked of WhatsApp each time. */
export function useTemplates(channelId: string): Data<readonly Template[]> {
  const session = useSession();
  const { org } = useHere();
  const path = `${channelsPath(org.id)}/${channelId}/templates`;
  return useData(path, async () => {
    const { templates } = await session.call<{ templates: readonly Template[] }>(path, {
      method: "GET",
      orgId: org.id,
    });
    return templates;
  });
}
