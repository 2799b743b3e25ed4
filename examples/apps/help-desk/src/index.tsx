import { mount, useContext, usePlatform, useSettings } from "platform/react";
import { useEffect, useState } from "react";
import { type Incident, incidents, type Ticket, ticketsOf } from "./help-desk.ts";

interface Shown {
  readonly tickets: readonly Ticket[];
  readonly incidents: readonly Incident[];
}

/** On a call's page: what the caller has asked before, and what is out of order for everybody. */
function HelpDesk() {
  const { callId = "" } = useContext<{ callId?: string }>();
  const platform = usePlatform();
  const settings = useSettings();
  const [shown, setShown] = useState<Shown | string>("Loading…");
  useEffect(() => {
    let isCurrent = true;
    const subdomain = String(settings.get("subdomain") ?? "");
    const statusPage = String(settings.get("statusPage") ?? "");
    const load = async (): Promise<Shown | string> => {
      if (subdomain === "") return "An administrator sets the Zendesk subdomain under Apps → Help desk.";
      return {
        tickets: await ticketsOf(callId, subdomain, platform),
        incidents: statusPage === "" ? [] : await incidents(statusPage, platform),
      };
    };
    void load()
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .then((next) => isCurrent && setShown(next));
    return () => {
      isCurrent = false;
    };
  }, [callId, platform, settings]);
  if (typeof shown === "string") return <p className="pf-muted">{shown}</p>;
  return (
    <>
      {shown.incidents.map(({ id, name, status }) => (
        <p key={id} role="alert">
          {name} <span className="pf-badge">{status}</span>
        </p>
      ))}
      {shown.tickets.length === 0 && <p className="pf-muted">No open tickets.</p>}
      <ul>
        {shown.tickets.map(({ id, subject, status }) => (
          <li key={id}>
            #{id} {subject} <span className="pf-badge">{status}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

mount(HelpDesk);
