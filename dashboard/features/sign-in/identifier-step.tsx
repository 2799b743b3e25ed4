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

/** In one line. */
const EXAMPLE = "+31\u00a06\u00a012345678";

/** Asks for an email address or a mobile number, or offers an identity provider. */
export function IdentifierStep({ onKnown }: { readonly onKnown: (identifier: string) => void }) {
  const { providers, demoOwner } = useWaysIn();
  const [refusal, setRefusal] = useState<string>();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    setRefusal(undefined);
    const found = await request<Lookup>("/api/auth/lookup", {
      body: { identifier: textOf(fields, "identifier") },
    });
    if (found.status === "password") return onKnown(found.identifier);
    if (found.status === "unavailable") return setRefusal("This account cannot sign in here.");
    if (!found.selfSignupEnabled)
      return setRefusal("No account uses this. Ask your organization to invite you.");
    const search = new URLSearchParams(location.search);
    search.set("identifier", found.identifier);
    location.assign(`/sign-up?${search}`);
  });
  return (
    <>
      <form onSubmit={onSubmit}>
        <IdentifierField hint={`Include the country code, such as ${EXAMPLE}.`} />
        {(problem ?? refusal) && <Problem>{problem ?? refusal}</Problem>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Continue
        </button>
      </form>
      {demoOwner && <DemoHint owner={demoOwner} />}
      <Providers providers={providers} />
    </>
  );
}

interface Provider {
  readonly id: string;
  readonly name: string;
}

interface WaysIn {
  readonly providers: readonly Provider[];
  /** Email of the demo's owner; null: no demo here. */
  readonly demoOwner: string | null;
}

/** Identity providers and the demo; none until known, as a password needs neither. */
function useWaysIn(): WaysIn {
  const [ways, setWays] = useState<WaysIn>({ providers: [], demoOwner: null });
  useEffect(() => {
    const gone = new AbortController();
    request<WaysIn>("/api/auth/oidc", { method: "GET", signal: gone.signal }).then(setWays, () => undefined);
    return () => gone.abort();
  }, []);
  return ways;
}

/** What a first visit to the demo needs to know. */
function DemoHint({ owner }: { readonly owner: string }) {
  return (
    <p className="pf-muted">
      This server has a demo. Sign in as <code>{owner}</code>; the password is in <code>data/demo.json</code>.
      Or enter your own email to create an account.
    </p>
  );
}

function Providers({ providers }: Pick<WaysIn, "providers">) {
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
      setProblem(error instanceof Error ? error.message : "Something went wrong. Try again.");
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
