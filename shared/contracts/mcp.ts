import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";

/** `/api/orgs/{orgId}/mcp`: remote tool servers that speak the Model Context Protocol. */

/** Letters, digits, `_`, `-`, and `.`, as specified by the protocol. */
export const MCP_TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** The address of a server, as written. */
export const mcpAddressSchema = z
  .string()
  .max(2_048)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "an http(s) URL")
  .refine((text) => {
    const { username = "", password = "" } = URL.parse(text) ?? {};
    return username === "" && password === "";
  }, "a URL without user and password");

/** Normalizes an address and drops its fragment. */
export function mcpUrl(text: string): string {
  const url = new URL(text);
  url.hash = "";
  return url.href;
}
const mcpUrlSchema = mcpAddressSchema.transform(mcpUrl);

/** Characters that can stand unescaped in a header. */
const mcpTokenSchema = z.string().regex(/^[\x21-\x7e]{1,4096}$/, "1 to 4096 visible ASCII characters");

export const verifyMcpSchema = z
  .strictObject({
    url: mcpUrlSchema,
    token: mcpTokenSchema.optional(),
    mcpConnectionId: z.string().min(1).max(64).optional(),
  })
  .refine(({ token, mcpConnectionId }) => token === undefined || mcpConnectionId === undefined, {
    message: "either token or mcpConnectionId, not both",
    path: ["token"],
  });
export type VerifyMcp = z.infer<typeof verifyMcpSchema>;

/** A tool as described by its server, bounded and cleaned; all of its text is the server's claim and untrusted. */
const mcpToolSchema = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  /** JSON Schema of the arguments. */
  inputSchema: z.record(z.string(), z.unknown()),
  /** True: the server claims that the tool changes nothing. */
  readOnly: z.boolean(),
});
export type McpTool = z.infer<typeof mcpToolSchema>;

const mcpServerSchema = z.object({
  name: z.string().nullable(),
  version: z.string().nullable(),
  /** The protocol revision spoken with the server. */
  protocolVersion: z.string().nullable(),
});

const verifiedSchema = z.object({
  needsAuth: z.literal(false),
  server: mcpServerSchema,
  tools: z.array(mcpToolSchema),
  /** Unusable tools, and why. */
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type VerifiedMcp = z.infer<typeof verifiedSchema>;

const needsAuthSchema = z.object({
  needsAuth: z.literal(true),
  /** The server's authorization server; null: the server does not say. */
  authorizationServer: z.string().nullable(),
  /** Scopes that the server asks for. */
  scopes: z.array(z.string()),
  message: z.string(),
});
export type McpNeedsAuth = z.infer<typeof needsAuthSchema>;

export const verifyMcpResponseSchema = wrapped(z.union([verifiedSchema, needsAuthSchema]));

/** `oauth`: people sign in. `token`: a key issued by the vendor. `none`: anyone may call the server. */
const MCP_AUTH_KINDS = ["oauth", "token", "none"] as const;

const directoryEntrySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  url: z.string(),
  auth: z.enum(MCP_AUTH_KINDS),
  /**
   * For `oauth`: whether Parley registers by itself, or the operator must first register an application with the
   * vendor and configure its client id.
   */
  clientId: z.enum(["automatic", "operator"]).nullable(),
  categories: z.array(z.string()),
  docsUrl: z.string(),
});
export type McpDirectoryEntry = z.infer<typeof directoryEntrySchema>;
export const mcpDirectoryResponseSchema = wrapped(
  z.object({ servers: z.array(directoryEntrySchema), categories: z.array(z.string()), total: z.int() }),
);

export const startMcpSignInSchema = z.strictObject({
  url: mcpUrlSchema,
  /** Display name; the server's host when absent. */
  label: z.string().trim().min(1).max(128).optional(),
  /** Signs in again and keeps the id, so that tools bound to the connection keep working. */
  mcpConnectionId: z.string().min(1).max(64).optional(),
});
export type StartMcpSignIn = z.infer<typeof startMcpSignInSchema>;
export const startedMcpSignInResponseSchema = wrapped(
  z.object({
    /** Where to send the same browser within ten minutes. */
    authorizeUrl: z.string(),
    mcpConnectionId: z.string(),
  }),
);

/** Connects a server whose vendor issues a token, which is entered once. */
export const connectMcpSchema = z.strictObject({
  url: mcpUrlSchema,
  token: mcpTokenSchema,
  /** Display name; the server's host when absent. */
  label: z.string().trim().min(1).max(128).optional(),
  /** Replaces the token and keeps the id, so that tools bound to the connection keep working. */
  mcpConnectionId: z.string().min(1).max(64).optional(),
});
export type ConnectMcp = z.infer<typeof connectMcpSchema>;

const mcpConnectionSchema = z.object({
  id: z.string(),
  url: z.string(),
  label: z.string(),
  /** `disconnected`: the sign-in was not completed. `error`: someone has to sign in again. */
  status: z.enum(["active", "error", "disconnected"]),
  lastError: z.string().nullable(),
  createdBy: z.string(),
  createdAt: z.string(),
});
export type McpConnection = z.infer<typeof mcpConnectionSchema>;
export const mcpConnectionsResponseSchema = wrapped(
  z.object({ connections: z.array(mcpConnectionSchema), total: z.int() }),
);
export const mcpConnectionResponseSchema = wrapped(z.object({ connection: mcpConnectionSchema }));
export const mcpConnectionParamsSchema = orgParamsSchema.extend({ id: z.string().min(1).max(64) });
export const mcpDisconnectQuerySchema = z.object({
  /** `false`: refuses while agents have tools of the connection, which would stop working. */
  force: z.enum(["true", "false"]).optional(),
});
export const mcpConnectionDeletedResponseSchema = wrapped(z.object({ id: z.string() }));
