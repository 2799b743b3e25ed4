import { useEffect, useState } from "react";
import { request } from "../../api/request.ts";
import { IdentifierField } from "../../ui/credential-fields.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { rememberFlow } from "./oidc-flow.ts";

interface Lookup {
  readonly status: "password" | "signup" | "unavailable";
  readonly identifier: string;
  readonly selfSignupEnabled: boolean;
}

/** Asks for an email address or a mobile number, or offers an identity provider. */
export function IdentifierStep({ onKnown }: { readonly onKnown: (identifier: string) => void }) {
  const [refusal, setRefusal] = useState<string>();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    setRefusal(undefined);
    const found = await request<Lookup>("/api/auth/lookup", {
      body: { identifier: textOf(fields, "identifier") },
    });
    if (found.status === "password") return onKnown(found.identifier);
    if (found.status === "unavailable") return setRefusal("This account cannot sign in here.");
    if (!found.selfSignupEnabled)
      return setRefusal("Nobody has an account with this; ask your organization to invite you.");
    const search = new URLSearchParams(location.search);
    search.set("identifier", found.identifier);
    location.assign(`/sign-up?${search}`);
  });
  return (
    <>
      <form onSubmit={onSubmit}>
        <IdentifierField hint="A mobile number with its country, such as +31 6 12345678." />
        {(problem ?? refusal) && <Problem>{problem ?? refusal}</Problem>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Continue
        </button>
      </form>
      <Providers />
    </>
  );
}

interface Provider {
  readonly id: string;
  readonly name: string;
}

/** Identity providers; empty until known, as a password needs none. */
function useProviders(): readonly Provider[] {
  const [providers, setProviders] = useState<readonly Provider[]>([]);
  useEffect(() => {
    const gone = new AbortController();
    request<{ providers: Provider[] }>("/api/auth/oidc", { method: "GET", signal: gone.signal }).then(
      (answer) => setProviders(answer.providers),
      () => undefined,
    );
    return () => gone.abort();
  }, []);
  return providers;
}

function Providers() {
  const providers = useProviders();
  const [problem, setProblem] = useState<string>();
  if (providers.length === 0) return null;
  const go = async (id: string): Promise<void> => {
    try {
      const { authorizeUrl, flowSecret } = await request<{ authorizeUrl: string; flowSecret: string }>(
        `/api/auth/oidc/${id}/start`,
      );
      rememberFlow({ flowSecret, search: location.search });
      location.assign(authorizeUrl);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "It did not work; try again.");
    }
  };
  return (
    <>
      <div className="door-or">or</div>
      {providers.map(({ id, name }) => (
        <button key={id} type="button" className="pf-btn" onClick={() => void go(id)}>
          Continue with {name}
        </button>
      ))}
      {problem && <Problem>{problem}</Problem>}
    </>
  );
}
