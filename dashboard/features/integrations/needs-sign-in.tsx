import type { McpDirectoryEntry, McpNeedsAuth } from "@parley/shared/contracts/mcp.ts";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { PasswordField } from "../../ui/field.tsx";
import { passwordOf } from "../../ui/use-submit.ts";
import { ConsentPanel } from "./consent-panel.tsx";
import { useMcpConnections } from "./mcp-api.ts";
import { useMcpSignIn } from "./use-mcp-sign-in.ts";

interface NeedsSignInProps {
  readonly url: string;
  /** The server's directory entry. */
  readonly known: McpDirectoryEntry | undefined;
  readonly found: McpNeedsAuth;
  readonly onToken: (token: string) => void;
}

/** Ways to sign in to a server that hides its tools from anonymous clients. */
export function NeedsSignIn({ url, known, found, onToken }: NeedsSignInProps) {
  const navigate = useNavigate();
  const { reload } = useMcpConnections();
  const consent = useMcpSignIn({
    url,
    label: known?.name,
    onDone: async (id) => {
      await reload();
      await navigate({ to: "/integrations/servers/$id", params: { id }, replace: true });
    },
  });
  const { authorizationServer, scopes } = found;
  const showWithToken = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onToken(passwordOf(new FormData(event.currentTarget), "token").trim());
  };
  return (
    <>
      {authorizationServer !== null && (
        <section className="pf-card panel" aria-labelledby="sign-in-title">
          <h2 id="sign-in-title">Sign in</h2>
          <p>This server shows its tools to people who are signed in at {authorizationServer}.</p>
          {known?.clientId === "operator" && (
            <p className="pf-muted">
              {known.name} wants an application registered first. If signing in fails, ask your operator to
              set one up.
            </p>
          )}
          {scopes.length > 0 && <p className="pf-muted">It asks for: {scopes.join(", ")}</p>}
          <ConsentPanel consent={consent} name={known?.name ?? "the server"} does="Sign in" />
        </section>
      )}
      <section className="pf-card panel" aria-labelledby="token-title">
        <h2 id="token-title">Look with an access token</h2>
        <p>
          If the vendor gave you a token, you can see the server’s tools with it. It is used for this look
          only and not stored.
        </p>
        <form className="stack" onSubmit={showWithToken}>
          <PasswordField label="Access token" name="token" autoComplete="new-password" required />
          <div className="row">
            <button type="submit" className="pf-btn">
              Show its tools
            </button>
          </div>
        </form>
      </section>
    </>
  );
}
