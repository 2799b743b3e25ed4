import { SEAL_CONTEXT } from "@parley/control-api/sealed/contexts.ts";
import { newId } from "@parley/shared/ids.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { connectAccount } from "./carrier-account.ts";
import { TestChats } from "./chat.ts";
import type { TestControlApi } from "./control-api.ts";
import { TestPerson } from "./person.ts";

/** Somebody's secrets of every kind that SECRETS_KEY seals. */
export interface EverySecret {
  readonly person: TestPerson;
  readonly chats: TestChats;
  /** A code of the person's second factor. */
  readonly code: () => Promise<string>;
  readonly brainSecret: string;
}

/** Stores them through an API whose SECRETS_KEY is `secretsKey`; it may call this machine. */
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
    .set({ unsent: box.seal('{"waiting":[]}', SEAL_CONTEXT.chatUnsent(sessionId)) })
    .where("session_id", "=", sessionId)
    .execute();
  const stateHash = newId("key");
  const sealed = box.seal("{}", SEAL_CONTEXT.oidcFlow(stateHash));
  const flow = { state_hash: stateHash, idp: "google", sealed, expires_at: new Date(Date.now() + 600_000) };
  await db.insertInto("oidc_flows").values(flow).execute();
  return { person, chats, code, brainSecret };
}
