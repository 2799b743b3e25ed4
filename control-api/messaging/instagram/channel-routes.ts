import {
  connectedInstagramResponseSchema,
  connectInstagramSchema,
  instagramAccountResponseSchema,
  instagramAccountsResponseSchema,
} from "@parley/shared/contracts/instagram.ts";
import {
  channelCredentialsSchema,
  channelDeletedResponseSchema,
  channelParamsSchema,
  updateChannelSchema,
} from "@parley/shared/contracts/messaging.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import type { FastifyRequest } from "fastify";
import { INSTAGRAM_READ, INSTAGRAM_WRITE } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { byOf } from "../../identity/orgs/acting.ts";
import { listChannels } from "../channels/channel-store.ts";
import {
  changeChannel,
  checkChannel,
  connectChannel,
  disconnectChannel,
  type OwnChannel,
  readChannel,
  replaceChannelCredentials,
} from "../channels/channels.ts";
import { asked } from "../channels/credentials.ts";
import type { MessagingDeps } from "../deps.ts";
import { InstagramSender } from "./instagram-sender.ts";
import { toAccount, toConnectedAccount } from "./shown-account.ts";

const CHANNELS = "/api/orgs/:orgId/instagram/channels";
const CHANNEL = `${CHANNELS}/:channelId`;
const provider = "instagram";
const about = { tags: ["instagram"], security: USER_SECURITY };
const reads = { access: INSTAGRAM_READ };
const writes = { access: INSTAGRAM_WRITE };

/** `/api/orgs/{orgId}/instagram/channels`: Instagram accounts. API keys reach only their conversations. */
export function instagramChannelRoutes(app: Api, deps: MessagingDeps): void {
  readRoutes(app, deps);
  changeRoutes(app, deps);
  connectionRoutes(app, deps);
}

function readRoutes(app: Api, deps: MessagingDeps): void {
  app.get(
    CHANNELS,
    {
      config: reads,
      schema: {
        ...about,
        summary: "List Instagram accounts, oldest first",
        params: orgParamsSchema,
        response: responses(200, instagramAccountsResponseSchema),
      },
    },
    async (request) => {
      const rows = await listChannels(deps.database.db, actorOf(request).orgId, provider);
      return success({ channels: rows.map(toAccount), total: rows.length });
    },
  );
  app.get(
    CHANNEL,
    {
      config: reads,
      schema: {
        ...about,
        summary: "Read an Instagram account, with what to enter at Meta",
        params: channelParamsSchema,
        response: responses(200, connectedInstagramResponseSchema),
      },
    },
    async (request) => success(toConnectedAccount(await readChannel(ownOf(request), deps))),
  );
}

function changeRoutes(app: Api, deps: MessagingDeps): void {
  app.patch(
    CHANNEL,
    {
      config: writes,
      schema: {
        ...about,
        summary: "Rename an Instagram account, or choose who answers",
        params: channelParamsSchema,
        body: updateChannelSchema,
        response: responses(200, instagramAccountResponseSchema),
      },
    },
    async (request) => success(toAccount(await changeChannel(ownOf(request), request.body, deps))),
  );
  app.post(
    `${CHANNEL}/check`,
    {
      config: writes,
      schema: {
        ...about,
        summary: "Ask Instagram how an account is",
        params: channelParamsSchema,
        response: responses(200, instagramAccountResponseSchema),
      },
    },
    async (request) => success(toAccount(await checkChannel(ownOf(request), deps))),
  );
}

function connectionRoutes(app: Api, deps: MessagingDeps): void {
  app.post(
    CHANNELS,
    {
      config: writes,
      schema: {
        ...about,
        summary: "Connect an Instagram account; its credentials are tried first and never shown again",
        params: orgParamsSchema,
        body: connectInstagramSchema,
        response: responses(201, connectedInstagramResponseSchema),
      },
    },
    async (request, reply) => {
      const { name, agentId = null, ...given } = request.body;
      const by = byOf(request);
      const sender = new InstagramSender(by.actor.orgId, given, deps.reach);
      const account = await asked(() => sender.accountId());
      const credentials = { ...given, accountId: account };
      const wanted = { provider, account, businessAccount: null, name, agentId, credentials } as const;
      return reply.status(201).send(success(toConnectedAccount(await connectChannel(wanted, by, deps))));
    },
  );
  app.put(
    `${CHANNEL}/credentials`,
    {
      config: writes,
      schema: {
        ...about,
        summary: "Replace the access token or the app secret of an Instagram account",
        params: channelParamsSchema,
        body: channelCredentialsSchema,
        response: responses(200, instagramAccountResponseSchema),
      },
    },
    async (request) => {
      const { body } = request;
      return success(toAccount(await replaceChannelCredentials(ownOf(request), body, byOf(request), deps)));
    },
  );
  app.delete(
    CHANNEL,
    {
      config: writes,
      schema: {
        ...about,
        summary: "Disconnect an Instagram account and delete all its conversations",
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
