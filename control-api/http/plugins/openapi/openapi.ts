import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import fp from "fastify-plugin";
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import { componentRegistry } from "./components.ts";
import { finished, type OpenApiDocument } from "./document.ts";
import { openApiWebhooks } from "./openapi-webhooks.ts";
import { operationOf } from "./operation.ts";

const schemaRegistry = componentRegistry;
const toJsonSchema = createJsonSchemaTransform({ skipList: [], schemaRegistry });
const withComponents = createJsonSchemaTransformObject({ schemaRegistry });

/** The OpenAPI document, generated from the routes' schemas and access rules, and pages to read it at /docs. */
export const openapiPlugin = fp<{ readonly baseUrl: () => string }>(async (app, { baseUrl }) => {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: INFO,
      tags: TAGS,
      components: { securitySchemes: SECURITY_SCHEMES },
      webhooks: openApiWebhooks(),
    },
    transform: (document) => {
      const { schema, url } = toJsonSchema(document);
      const { method, config } = document.route;
      const path = document.url;
      if (schema === undefined || schema.hide) return { schema, url };
      const route = { method: String(method), path, access: config?.access, schema: { ...schema } };
      return { schema: operationOf(route), url };
    },
    transformObject: (document) => finished(withComponents(document) as OpenApiDocument, baseUrl()),
  });
  await app.register(swaggerUi, { routePrefix: "/docs" });
});

const INFO = {
  title: "Parley control API",
  version: "1",
  description: [
    "Accounts, organizations, keys, agents, sessions and calls of Parley.",
    "Routes under `/api/v1` answer flat JSON and take API keys only; all others wrap their answer as `{ success, data }`.",
  ].join(" "),
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
};

const SECURITY_SCHEMES = {
  apiKey: {
    type: "apiKey" as const,
    in: "header",
    name: "X-API-Key",
    description: "A key of one organization, for your servers. Created by POST /api/orgs/{orgId}/api-keys.",
  },
  accessToken: {
    type: "http" as const,
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A signed-in user, from POST /api/auth/login; with X-Org-Id on routes of an organization.",
  },
  clientToken: {
    type: "http" as const,
    scheme: "bearer",
    description: "One pre-authorized call or chat, for browsers and apps. Minted by POST /api/client-tokens.",
  },
  appKey: {
    type: "http" as const,
    scheme: "bearer",
    description: "A key of an app's own backend. Created by POST /api/orgs/{orgId}/apps/{appId}/keys.",
  },
};

const TAGS = Object.entries({
  "sign-in": "Sign in, refresh and end sign-ins",
  account: "The signed-in user's own account",
  batches: "Several reads in one request",
  organizations: "Organizations, members, invitations and what holds for all of their calls",
  "api keys": "API keys of an organization",
  agents: "Who answers, and how",
  "public agents": "Agents that strangers talk to on a page, and links to one conversation",
  templates: "Agents and teams to begin from",
  catalog: "What this installation can use, and what each provider needs",
  sessions: "Start, control and end calls",
  calls: "Records of calls",
  analytics: "Calls in figures",
  billing: "What was used, what it costs, and who pays",
  recordings: "Recordings of calls",
  chat: "Text chats with agents",
  whatsapp: "WhatsApp numbers, conversations and messages",
  instagram: "Instagram accounts whose direct messages agents and people answer",
  campaigns: "Calls of an agent to many people, and who is not called",
  numbers: "Phone numbers",
  carriers: "Accounts at phone carriers",
  integrations: "Accounts in the systems that agents act in",
  knowledge: "Documents that agents look things up in",
  memory: "What agents remember of people",
  mcp: "Remote tool servers that speak the Model Context Protocol",
  apps: "Apps inside the dashboard",
  "app backends": "What the backends of apps may do, with a key of the app",
  tracks: "Audio files to play into calls",
  webhooks: "Webhook endpoints and deliveries",
}).map(([name, description]) => ({ name, description }));
