import { Link } from "@tanstack/react-router";
import { useHere } from "../../api/use-session.ts";
import { Icon } from "../../ui/icon.tsx";
import { useSoftphone } from "./softphone-context.ts";

/** Where nobody can be called: what to do about it. */
export function NoNumber() {
  const { mayCall } = useSoftphone();
  const { org } = useHere();
  return (
    <section className="pf-card panel phone-none" aria-labelledby="phone-none-title">
      <Icon name="phone" />
      <h2 id="phone-none-title">{mayCall ? "No number to call from yet" : "You can’t make calls here"}</h2>
      {mayCall ? (
        <>
          <p className="pf-muted">
            Calls go out from one of the organization’s numbers. A simulated one needs no account.
          </p>
          <Link to="/numbers" className="pf-btn pf-btn-primary">
            Add one under Numbers
          </Link>
        </>
      ) : (
        <p className="pf-muted">
          Your role, {org.role}, may only read here. To make and take calls it must be developer or higher:
          ask an owner or admin under <Link to="/members">Members</Link>.
        </p>
      )}
    </section>
  );
}
