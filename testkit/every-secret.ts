import { SEAL_CONTEXT } from "@parley/control-api/sealed/contexts.ts";
import { DataKeys } from "@parley/control-api/sealed/data-keys.ts";
import { digestsOf } from "@parley/control-api/sealed/digests.ts";
import { newId } from "@parley/shared/ids.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { connectAccount } from "./carrier-account.ts";
import { TestChats } from "./chat.ts";
import type { TestControlApi } from "./control-api.ts";
import { TestPerson } from "./person.ts";

/** A person's secrets of every kind that SECRETS_KEY seals. */
export interface EverySecret {
  readonly person: TestPerson;
  readonly chats: TestChats;
  /** Returns a code of the person's second factor. */
  readonly code: () => Promise<string>;
  readonly brainSecret: string;
}

/** Stores the secrets through an API whose SECRETS_KEY is `secretsKey`; the API may call this machine. */
export async function storeEverySecret(api: TestControlApi, secretsKey: string): Promise<EverySecret> {
  const person = await TestPerson.register(api);
  const { code } = await person.enableMfa();
  await api.call("POST", "/api/auth/refresh", { body: { refreshToken: person.refreshToken } });
  const chats = await TestChats.start(api, (turn) => {
    turn.token("Hello.");
    turn.done();
  });
  const brainSecret = "brain-hunter2";
  await chats.change({ brain: { secret: brainSecret } });
  const { orgId, keys } = chats.organization;
  const body = { url: "http://127.0.0.1:9/hook" };
  await api.call("POST", `/api/orgs/${orgId}/webhooks`, { key: keys.owner, body });
  const credentials = { accountSid: "AC1", authToken: "t" };
  await connectAccount(api.database, {
    orgId,
    carrier: "twilio",
    credentials,
    number: "+15550100",
    secretsKey,
  });
  const { sessionId } = await chats.say("Hello?", {}, { headers: { "idempotency-key": newId("key") } });
  const box = new SecretBox(secretsKey);
  const { db } = api.database;
  await db
    .updateTable("chats")
    .set({
      unsent: box.seal('{"waiting":[]}', SEAL_CONTEXT.chatUnsent(sessionId)),
      flow: box.seal("{}", SEAL_CONTEXT.chatFlow(sessionId)),
    })
    .where("session_id", "=", sessionId)
    .execute();
  const dataKeys = new DataKeys({ secrets: box, nowMs: Date.now });
  await dataKeys.seal(db, { orgId, row: "integration:con_1" }, "{}");
  const stateHash = newId("key");
  const sealed = box.seal("{}", SEAL_CONTEXT.oidcFlow(stateHash));
  const flow = { state_hash: stateHash, idp: "google", sealed, expires_at: new Date(Date.now() + 600_000) };
  await db.insertInto("oidc_flows").values(flow).execute();
  await storeAccess(api, orgId, box);
  await storeChannel(api, orgId, box);
  await digestsOf(db, { orgId, texts: ["+15550100"] }, box);
  return { person, chats, code, brainSecret };
}

async function storeChannel(
  { database: { db } }: TestControlApi,
  orgId: string,
  box: SecretBox,
): Promise<void> {
  const at = new Date();
  const [id, threadId, messageId] = [newId("chn"), newId("thr"), newId("msg")];
  const whose = { org_id: orgId, created_at: at };
  const channel = {
    id,
    provider: "whatsapp",
    account: id,
    version: 1,
    created_by: "usr_1",
    updated_at: at,
  } as const;
  await db
    .insertInto("messaging_channels")
    .values({
      ...whose,
      ...channel,
      credentials_sealed: box.seal("{}", SEAL_CONTEXT.channel(id)),
      name: "Acme",
      health: "{}",
    })
    .execute();
  await db
    .insertInto("messaging_threads")
    .values({ ...whose, id: threadId, channel_id: id, contact_phone: "+15550100", last_message_at: at })
    .execute();
  await db
    .insertInto("messaging_messages")
    .values({
      ...whose,
      id: messageId,
      channel_id: id,
      thread_id: threadId,
      direction: "in",
      type: "text",
      sealed: box.seal("Hello", SEAL_CONTEXT.channelMessage(messageId)),
      author: "contact",
      status: "received",
      answered: false,
      sent_at: at,
    })
    .execute();
}

async function storeAccess(
  { database: { db } }: TestControlApi,
  orgId: string,
  box: SecretBox,
): Promise<void> {
  const at = new Date();
  const [id, hash] = [newId("mcp"), newId("key")];
  await db
    .insertInto("oauth_grants")
    .values({
      id,
      org_id: orgId,
      status: "active",
      last_error: null,
      sealed: box.seal("{}", SEAL_CONTEXT.oauthGrant(orgId, id)),
      expires_at: null,
      refresh_at: null,
      version: 1,
      created_at: at,
      updated_at: at,
    })
    .execute();
  const flow = {
    state_hash: hash,
    org_id: orgId,
    browser_hash: null,
    expires_at: new Date(Date.now() + 600_000),
  };
  const sealedFlow = box.seal("{}", SEAL_CONTEXT.oauthFlow(hash));
  await db
    .insertInto("oauth_flows")
    .values({ ...flow, sealed: sealedFlow })
    .execute();
  const client = { org_id: orgId, issuer_hash: hash, issuer: "https://auth.example", created_at: at };
  const sealedClient = box.seal("{}", SEAL_CONTEXT.oauthClient(orgId, hash));
  await db
    .insertInto("oauth_clients")
    .values({ ...client, sealed: sealedClient })
    .execute();
}
