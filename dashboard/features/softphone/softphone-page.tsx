import { Link } from "@tanstack/react-router";
import { useLayoutEffect, useRef, useState } from "react";
import { AppPage } from "../../app/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.ts";
import { phoneText } from "../../ui/phone-text.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { AppSlot } from "../apps/app-slot.tsx";
import { CallsToYou } from "./calls-to-you.tsx";
import { DevicePanel } from "./device-panel.tsx";
import { DialForm } from "./dial-form.tsx";
import { NoNumber } from "./no-number.tsx";
import { RecentCalls } from "./recent-calls.tsx";
import { useSoftphone } from "./softphone-context.ts";
import { endingWords } from "./softphone-labels.ts";
import { isBusy } from "./softphone-view.ts";

const CallPanel = later(async () => (await import("./call-panel.tsx")).CallPanel);
const CallNotes = later(async () => (await import("../calls/call-notes.tsx")).CallNotes);

/** The softphone: calls, their quality, notes and history. `?to=` fills in a number without calling. */
export function SoftphonePage() {
  const { view, incoming, mayCall, numbers } = useSoftphone();
  // While the numbers load, one can be typed already.
  const mayDial = mayCall && numbers.numbers?.length !== 0;
  const [params] = useSearchParams();
  const [text, setText] = useState(() => params.get("to") ?? "");
  const field = useRef<HTMLInputElement>(null);
  const inCall = isBusy(view);
  useLayoutEffect(() => {
    if (inCall) {
      setText("");
      return;
    }
    // The next number can be typed at once; on a phone, the keyboard would cover the page.
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [inCall]);
  const sessionId = view.line?.sessionId;
  return (
    <AppPage title="Softphone">
      <AppSlot slot="softphone_call_panel" context={sessionId === undefined ? {} : { callId: sessionId }} />
      <TakeOver />
      {mayCall && incoming.state === "lost" && (
        <p className="message message-warn" role="status">
          Calls to you do not ring here just now. Parley tries again by itself.
        </p>
      )}
      <div className="phone">
        <div className="phone-main">
          {!inCall && <Ending />}
          {inCall && <CallPanel />}
          {!inCall && !mayDial && <NoNumber />}
          {/* Without a number to call from, too: an app may have filled in whom to call. */}
          {!inCall && mayCall && <DialForm field={field} text={text} onText={setText} />}
        </div>
        <div className="phone-beside">
          {sessionId !== undefined && <CallNotes key={sessionId} id={sessionId} />}
          <DevicePanel />
          <CallsToYou />
          <RecentCalls />
        </div>
      </div>
    </AppPage>
  );
}

/** How the last call ended, with likely next steps. */
function Ending() {
  const { view, actions } = useSoftphone();
  const words = endingWords(view);
  const { line, phase } = view;
  if (words === undefined) return null;
  return (
    <section className="pf-card panel phone-ending" aria-label="The last call">
      <p role="status">
        <strong>{words.title}.</strong> {words.text}
      </p>
      <div className="row">
        {line && /^\+\d+$/.test(line.number) && (
          <button type="button" className="pf-btn" onClick={() => actions.dial(line.number)}>
            <Icon name="phone" /> {phase.at === "no-microphone" ? "Try again" : "Call again"}
          </button>
        )}
        {line && phase.at === "no-microphone" && (
          <button type="button" className="pf-btn" onClick={() => actions.dial(line.number, "listen")}>
            Call and only listen
          </button>
        )}
        {line?.sessionId && (
          <Link to="/calls/$id" params={{ id: line.sessionId }}>
            Open call
          </Link>
        )}
      </div>
    </section>
  );
}

/** The person's own call that this page is not on: from before a reload, or on another device. */
function TakeOver() {
  const { own, actions, view } = useSoftphone();
  if (isBusy(view)) return null;
  return own.elsewhere.map((call) => {
    const number = call.direction === "inbound" ? call.fromNumber : call.toNumber;
    return (
      <section key={call.sessionId} className="pf-card panel phone-takeover" aria-label="A call that goes on">
        <p role="status">
          <strong>You are in a call with {phoneText(number ?? "someone")}.</strong> It goes on without this
          page: if you loaded the page again, they hear nothing until you take the call over.
        </p>
        <div className="row">
          <button type="button" className="pf-btn phone-go" onClick={() => actions.takeOver(call.sessionId)}>
            <Icon name="phone" /> Take over call
          </button>
        </div>
      </section>
    );
  });
}
