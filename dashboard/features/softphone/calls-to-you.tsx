import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.ts";
import { phoneText } from "../../ui/phone-text.ts";
import { isSimulated } from "../numbers/simulated-phones.ts";
import { useSoftphone } from "./softphone-context.ts";

const SimulateCallDialog = later(
  async () => (await import("../numbers/simulate-call-dialog.tsx")).SimulateCallDialog,
);

/** Numbers that ring here, and a call to test them. */
export function CallsToYou() {
  const { mayCall, numbers } = useSoftphone();
  const { me } = useHere();
  const [isOpen, setOpen] = useState(false);
  const { reload } = numbers;
  // Reloads: the person may have just added one on the numbers page.
  useEffect(() => void reload(), [reload]);
  if (!mayCall || numbers.numbers === undefined) return null;
  const own = numbers.numbers.filter(({ agentId, userId }) => agentId === null && userId === me.id);
  const first = own.find(isSimulated);
  return (
    <section className="pf-card panel" aria-labelledby="called-title">
      <h2 id="called-title">Calls to you</h2>
      {own.length === 0 ? (
        <p>
          No number rings here, so nobody can call you.{" "}
          <Link to="/numbers">Give yourself one under Numbers</Link>.
        </p>
      ) : (
        <p>Calls to {own.map(({ number }) => phoneText(number)).join(", ")} ring here.</p>
      )}
      {first && (
        <div className="row">
          <button type="button" className="pf-btn" onClick={() => setOpen(true)}>
            <Icon name="call-in" /> Simulate incoming call
          </button>
        </div>
      )}
      {first && isOpen && (
        <SimulateCallDialog numbers={numbers.numbers} to={first.number} onClose={() => setOpen(false)} />
      )}
    </section>
  );
}
