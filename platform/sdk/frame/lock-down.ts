/** Connection APIs that no content security policy stops. */
const UNGUARDED = [
  "RTCPeerConnection",
  "webkitRTCPeerConnection",
  "RTCDataChannel",
  "RTCIceTransport",
] as const;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: {
      createHTML(text: string, type: string, sink: string): string | null;
      createScriptURL(url: string): string | null;
    },
  ): unknown;
}

/**
 * Closes what the sandbox and the policy leave open before any app code runs. WebRTC bypasses every policy,
 * and a nested document's window would bring it back, so no nested document is created: the frame's policy
 * demands trusted types, and the one below is their only policy.
 */
export function lockDown(): void {
  for (const name of UNGUARDED) {
    Object.defineProperty(window, name, { value: undefined, writable: false, configurable: false });
  }
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy("default", {
    createHTML: (text, _type, sink) => (/srcdoc/i.test(sink) || /srcdoc/i.test(text) ? null : text),
    // The content security policy decides which addresses are allowed.
    createScriptURL: (url) => url,
  });
}
