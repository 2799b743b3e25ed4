import { APP_BACKEND, ORG_MANAGE, ORG_READ, ORG_WRITE, PUBLIC, type Row } from "./access-rows.ts";

/** Access to public agents and links: what strangers do costs the organization money. */
export const PUBLIC_AGENT_ROWS: Readonly<Record<string, Row>> = {
  "GET /a/:slug": PUBLIC,
  "GET /l/:token": PUBLIC,
  "GET /embed.js": PUBLIC,
  "GET /api/agents/:id/public": ORG_READ,
  "PATCH /api/agents/:id/public": ORG_MANAGE,
  "GET /api/agents/:id/leads": ORG_WRITE,
  "GET /api/public/agents/:slug": PUBLIC,
  "POST /api/public/agents/:slug/sessions": PUBLIC,
  "POST /api/public/links/read": PUBLIC,
  "POST /api/public/links/sessions": PUBLIC,
  "GET /api/app-agents/:id/public": APP_BACKEND,
  "PUT /api/app-agents/:id/public": APP_BACKEND,
  "POST /api/app-ai/tts": APP_BACKEND,
};
