import type { SignedIn } from "@parley/shared/contracts/accounts.ts";
import { useEffect, useRef, useState } from "react";
import { ApiError, reasonOf } from "../../api/api-error.ts";
import { request } from "../../api/request.ts";
import { AuthPage } from "../../app/page.tsx";
import { Problem } from "../../ui/messages.tsx";
import { MfaStep } from "./mfa-step.tsx";
import { takeFlow } from "./oidc-flow.ts";
import { useEnter } from "./use-enter.ts";

/** Where an identity provider sends the browser back. */
export function OidcPage({ idp }: { readonly idp: string }) {
  const [problem, setProblem] = useState<string>();
  const [mfaToken, setMfaToken] = useState<string>();
  const enter = useEnter();
  const began = useRef(false);
  useEffect(() => {
    // A code is single-use; development mounts twice.
    if (began.current) return;
    began.current = true;
    finish(idp).then(enter, (error: unknown) => {
      const token =
        error instanceof ApiError && error.code === "mfa_required" ? error.details.mfaToken : undefined;
      if (typeof token === "string") setMfaToken(token);
      else setProblem(reasonOf(error));
    });
  }, [idp, enter]);
  if (mfaToken !== undefined) {
    return (
      <AuthPage title="Two-factor authentication">
        <MfaStep
          onFactor={async (factor) => {
            const shown = "totpCode" in factor ? { code: factor.totpCode } : factor;
            enter(await request<SignedIn>("/api/auth/mfa/challenge", { body: { mfaToken, ...shown } }));
          }}
        />
      </AuthPage>
    );
  }
  return (
    <AuthPage title={problem === undefined ? "Signing in…" : "That did not work"}>
      {problem === undefined ? <p className="pf-muted">One moment.</p> : <Problem>{problem}</Problem>}
      {problem !== undefined && (
        <p>
          <a href="/sign-in">Sign in again</a>
        </p>
      )}
    </AuthPage>
  );
}

async function finish(idp: string): Promise<SignedIn> {
  const query = new URLSearchParams(location.search);
  const flow = takeFlow();
  const [code, state, iss] = [query.get("code"), query.get("state"), query.get("iss")];
  if (!flow || code === null || state === null) {
    throw new ApiError(400, {
      error: query.get("error_description") ?? "Sign-in was started in another tab. Try again.",
    });
  }
  // Removes the provider's single-use answer from the address and restores the original query.
  history.replaceState(null, "", location.pathname + flow.search);
  return request<SignedIn>(`/api/auth/oidc/${idp}/callback`, {
    body: { code, state, flowSecret: flow.flowSecret, ...(iss === null ? {} : { iss }) },
  });
}
