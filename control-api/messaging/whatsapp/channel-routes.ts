import {
  type ConnectChannel,
  channelCredentialsSchema,
  channelDeletedResponseSchema,
  channelParamsSchema,
  channelResponseSchema,
  channelsResponseSchema,
  connectChannelSchema,
  connectedChannelResponseSchema,
  updateChannelSchema,
} from "@parley/shared/contracts/messaging.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import type { FastifyRequest } from "fastify";
import { CHANNELS_CONNECT, CHANNELS_READ, CHANNELS_WRITE } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { byOf } from "../../identity/orgs/acting.ts";
import { listChannels } from "../channels/channel-store.ts";
import {
  changeChannel,
  checkChannel,
  connectChannel,
  disconnectChannel,
  type NewChannel,
  type OwnChannel,
  readChannel,
  replaceChannelCredentials,
} from "../channels/channels.ts";
import type { MessagingDeps } from "../deps.ts";
import { toConnectedNumber, toNumber } from "./shown-number.ts";

const CHANNELS = "/api/orgs/:orgId/whatsapp-cloud/channels";
const CHANNEL = `${CHANNELS}/:channelId`;
const provider = "whatsapp";
const tags = ["whatsapp"];
const forBoth = { tags, security: KEY_OR_USER_SECURITY };
const forPeople = { tags, security: USER_SECURITY };

/** `/api/orgs/{orgId}/whatsapp-cloud/channels`: WhatsApp numbers; only members may connect one. */
export function whatsAppChannelRoutes(app: Api, deps: MessagingDeps): void {
  readRoutes(app, deps);
  changeRoutes(app, deps);
  connectionRoutes(app, deps);
}

function readRoutes(app: Api, deps: MessagingDeps): void {
  const config = { access: CHANNELS_READ };
  app.get(
    CHANNELS,
    {
      config,
      schema: {
        ...forBoth,
        summary: "List WhatsApp numbers, oldest first",
        params: orgParamsSchema,
        response: responses(200, channelsResponseSchema),
      },
    },
    async (request) => {
      const rows = await listChannels(deps.database.db, actorOf(request).orgId, provider);
      return success({ channels: rows.map(toNumber), total: rows.length });
    },
  );
  app.get(
    CHANNEL,
    {
      config,
      schema: {
        ...forBoth,
        summary: "Read a WhatsApp number, with what to enter at Meta",
        params: channelParamsSchema,
        response: responses(200, connectedChannelResponseSchema),
      },
    },
    async (request) => success(toConnectedNumber(await readChannel(ownOf(request), deps))),
  );
}

function changeRoutes(app: Api, deps: MessagingDeps): void {
  const config = { access: CHANNELS_WRITE };
  app.patch(
    CHANNEL,
    {
      config,
      schema: {
        ...forBoth,
        summary: "Rename a WhatsApp number, or choose who answers",
        params: channelParamsSchema,
        body: updateChannelSchema,
        response: responses(200, channelResponseSchema),
      },
    },
    async (request) => success(toNumber(await changeChannel(ownOf(request), request.body, deps))),
  );
  app.post(
    `${CHANNEL}/check`,
    {
      config,
      schema: {
        ...forBoth,
        summary: "Ask WhatsApp how a number is",
        params: channelParamsSchema,
        response: responses(200, channelResponseSchema),
      },
    },
    async (request) => success(toNumber(await checkChannel(ownOf(request), deps))),
  );
}

function connectionRoutes(app: Api, deps: MessagingDeps): void {
  const config = { access: CHANNELS_CONNECT };
  app.post(
    CHANNELS,
    {
      config,
      schema: {
        ...forPeople,
        summary:
          "Connect a WhatsApp number of your own; its credentials are tried first and never shown again",
        params: orgParamsSchema,
        body: connectChannelSchema,
        response: responses(201, connectedChannelResponseSchema),
      },
    },
    async (request, reply) => {
      const channel = await connectChannel(newNumber(request.body), byOf(request), deps);
      return reply.status(201).send(success(toConnectedNumber(channel)));
    },
  );
  app.put(
    `${CHANNEL}/credentials`,
    {
      config,
      schema: {
        ...forPeople,
        summary: "Replace the access token or the app secret of a WhatsApp number",
        params: channelParamsSchema,
        body: channelCredentialsSchema,
        response: responses(200, channelResponseSchema),
      },
    },
    async (request) => {
      const { body } = request;
      return success(toNumber(await replaceChannelCredentials(ownOf(request), body, byOf(request), deps)));
    },
  );
  app.delete(
    CHANNEL,
    {
      config,
      schema: {
        ...forPeople,
        summary: "Disconnect a WhatsApp number and delete all its conversations",
        params: channelParamsSchema,
        response: responses(200, channelDeletedResponseSchema),
      },
    },
    async (request) => {
      await disconnectChannel(ownOf(request), byOf(request), deps);
      return success({ id: request.params.channelId });
    },
  );
}

function ownOf(request: FastifyRequest & { readonly params: { readonly channelId: string } }): OwnChannel {
  return { orgId: actorOf(request).orgId, provider, id: request.params.channelId };
}

function newNumber({ name, agentId = null, ...credentials }: ConnectChannel): NewChannel {
  const { phoneNumberId: account, businessAccountId: businessAccount } = credentials;
  return { provider, account, businessAccount, name, agentId, credentials };
}
