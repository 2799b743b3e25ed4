import { IN_ORG, IN_ORG_BOTH, KEY_MAKERS, type Row, WEBHOOK_MAKERS } from "./access-rows.ts";

/** Documents, for keys and people; agents' memory of people, for people only. */
export const KNOWLEDGE_ROUTES: Readonly<Record<string, Row>> = {
  "GET /api/orgs/:orgId/knowledge-bases": IN_ORG_BOTH,
  "POST /api/orgs/:orgId/knowledge-bases": WEBHOOK_MAKERS,
  "GET /api/orgs/:orgId/knowledge-bases/:baseId": IN_ORG_BOTH,
  "PATCH /api/orgs/:orgId/knowledge-bases/:baseId": WEBHOOK_MAKERS,
  "DELETE /api/orgs/:orgId/knowledge-bases/:baseId": WEBHOOK_MAKERS,
  "GET /api/orgs/:orgId/knowledge-bases/:baseId/search": IN_ORG_BOTH,
  "GET /api/orgs/:orgId/knowledge-bases/:baseId/documents": IN_ORG_BOTH,
  "POST /api/orgs/:orgId/knowledge-bases/:baseId/documents": WEBHOOK_MAKERS,
  "POST /api/orgs/:orgId/knowledge-bases/:baseId/documents/upload": WEBHOOK_MAKERS,
  "GET /api/orgs/:orgId/knowledge-bases/:baseId/documents/:documentId": IN_ORG_BOTH,
  "POST /api/orgs/:orgId/knowledge-bases/:baseId/documents/:documentId/refresh": WEBHOOK_MAKERS,
  "DELETE /api/orgs/:orgId/knowledge-bases/:baseId/documents/:documentId": WEBHOOK_MAKERS,
  "GET /api/orgs/:orgId/knowledge-bases/:baseId/crawls": IN_ORG_BOTH,
  "POST /api/orgs/:orgId/knowledge-bases/:baseId/crawls": WEBHOOK_MAKERS,
  "GET /api/orgs/:orgId/knowledge-bases/:baseId/crawls/:crawlId": IN_ORG_BOTH,
  "POST /api/orgs/:orgId/knowledge-bases/:baseId/crawls/:crawlId/refresh": WEBHOOK_MAKERS,
  "DELETE /api/orgs/:orgId/knowledge-bases/:baseId/crawls/:crawlId": WEBHOOK_MAKERS,
  "GET /api/orgs/:orgId/memory": IN_ORG,
  "POST /api/orgs/:orgId/memory": KEY_MAKERS,
  "DELETE /api/orgs/:orgId/memory": KEY_MAKERS,
  "PATCH /api/orgs/:orgId/memory/:memoryId": KEY_MAKERS,
  "DELETE /api/orgs/:orgId/memory/:memoryId": KEY_MAKERS,
};
