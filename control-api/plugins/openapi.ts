import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import fp from "fastify-plugin";
import { createJsonSchemaTransform } from "fastify-type-provider-zod";

/** The OpenAPI document, generated from the routes' schemas, and pages to read it at /docs. */
export const openapiPlugin = fp(async (app) => {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Parley control API",
        version: "1",
        description: "Accounts, organizations, keys, sessions and calls of Parley.",
      },
      components: {
        securitySchemes: {
          apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
          clientToken: {
            type: "http",
            scheme: "bearer",
            description: "Minted by POST /api/client-tokens.",
          },
          accessToken: {
            type: "http",
            scheme: "bearer",
            description: "With X-Org-Id on routes of an organization.",
          },
        },
      },
    },
    transform: createJsonSchemaTransform({ skipList: [] }),
  });
  await app.register(swaggerUi, { routePrefix: "/docs" });
});
