import type { OtpSent, SignedIn } from "@parley/shared/contracts/accounts.ts";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { request } from "../../api/request.ts";
import { AuthPage } from "../../app/page.tsx";
import { CodeStep } from "./code-step.tsx";
import { IdentifierStep } from "./identifier-step.tsx";
import { MfaStep, type SecondFactor } from "./mfa-step.tsx";
import { PasswordStep } from "./password-step.tsx";
import { useEnter } from "./use-enter.ts";

type Step =
  | { readonly at: "identifier" }
  | { readonly at: "password"; readonly identifier: string }
  | { readonly at: "code"; readonly identifier: string; readonly sent: OtpSent }
  | { readonly at: "mfa"; readonly retry: (factor: SecondFactor) => Promise<SignedIn> };

const TITLES = {
  identifier: "Sign in",
  password: "Your password",
  code: "Enter your code",
  mfa: "Two-factor authentication",
} as const;

type CodeAnswer = ({ status: "login" } & SignedIn) | { status: "mfa_required" };

/** Sign-in in steps: identifier, then password or code, then the second factor if any. */
export function SignInPage() {
  const [step, setStep] = useState<Step>({ at: "identifier" });
  const enter = useEnter();

  const signIn = async (password: string, identifier: string): Promise<void> => {
    const send = (factor: object) =>
      request<SignedIn>("/api/auth/login", { body: { identifier, password, ...factor } });
    try {
      enter(await send({}));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "mfa_required") throw error;
      setStep({ at: "mfa", retry: send });
    }
  };
  const redeem = async (code: string, requestId: string): Promise<void> => {
    const send = (factor: object) =>
      request<CodeAnswer>("/api/auth/login-otp/verify", { body: { requestId, code, ...factor } });
    const answer = await send({});
    if (answer.status === "login") return enter(answer);
    setStep({
      at: "mfa",
      retry: async (factor) => {
        const second = await send(factor);
        if (second.status !== "login") throw new Error("the code was not accepted");
        return second;
      },
    });
  };
  const sendCode = async (identifier: string): Promise<void> => {
    const sent = await request<OtpSent>("/api/auth/login-otp", { body: { identifier } });
    setStep({ at: "code", identifier, sent });
  };

  return (
    <AuthPage key={step.at} title={TITLES[step.at]}>
      {step.at === "identifier" && (
        <IdentifierStep onKnown={(identifier) => setStep({ at: "password", identifier })} />
      )}
      {step.at === "password" && (
        <PasswordStep
          identifier={step.identifier}
          onPassword={(password) => signIn(password, step.identifier)}
          onCodeInstead={() => sendCode(step.identifier)}
        />
      )}
      {step.at === "code" && (
        <CodeStep
          sent={step.sent}
          onCode={(code) => redeem(code, step.sent.requestId)}
          resendPath="/api/auth/login-otp/resend"
        />
      )}
      {step.at === "mfa" && <MfaStep onFactor={async (factor) => enter(await step.retry(factor))} />}
      {step.at === "identifier" ? (
        <p>
          New here? <a href={`/sign-up${location.search}`}>Create account</a>
        </p>
      ) : (
        <div className="door-links">
          <button type="button" className="pf-btn pf-btn-quiet" onClick={() => setStep({ at: "identifier" })}>
            Use a different account
          </button>
        </div>
      )}
    </AuthPage>
  );
}
