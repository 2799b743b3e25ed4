import type { CarrierConnection } from "@parley/shared/contracts/carrier-connections.ts";
import { type AccountCarrierName, PHONE_CARRIERS } from "@parley/shared/contracts/phone-carriers.ts";
import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { LoadProblem } from "../../ui/loaded.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { ListSection } from "../../ui/table/list-section.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.ts";
import { useCarriers, useCarriersPath } from "./use-carriers.ts";

interface CarrierAccountsProps {
  readonly numbers: readonly PhoneNumber[];
  readonly onReplace: (carrier: AccountCarrierName) => void;
}

/** The organization's accounts at carriers; nothing while there are none. */
export function CarrierAccounts({ numbers, onReplace }: CarrierAccountsProps) {
  const loaded = useCarriers();
  const [leaving, setLeaving] = useState<CarrierConnection>();
  if (loaded.data?.length === 0 || (loaded.data === undefined && loaded.problem === undefined)) return null;
  return (
    <ListSection title="Carrier accounts">
      <LoadProblem of={loaded} />
      {loaded.data && (
        <ul className="pf-card panel number-list">
          {loaded.data.map((connection) => (
            <Account
              key={connection.id}
              connection={connection}
              onReplace={() => onReplace(connection.carrier)}
              onDisconnect={() => setLeaving(connection)}
            />
          ))}
        </ul>
      )}
      {leaving && (
        <DisconnectDialog
          connection={leaving}
          numbers={numbers.filter(({ carrier }) => carrier === leaving.carrier)}
          onClose={() => setLeaving(undefined)}
          onDone={loaded.reload}
        />
      )}
    </ListSection>
  );
}

interface AccountProps {
  readonly connection: CarrierConnection;
  readonly onReplace: () => void;
  readonly onDisconnect: () => void;
}

function Account({ connection, onReplace, onDisconnect }: AccountProps) {
  const { carrier, account, inboundUrl, updatedAt } = connection;
  const { label } = PHONE_CARRIERS[carrier];
  return (
    <li className="carrier-account">
      <div className="row row-spread">
        <p>
          <strong>{label}</strong> <code>{account}</code>
        </p>
        <div className="row number-actions">
          <button type="button" className="pf-btn" onClick={onReplace}>
            Replace credentials<span className="only-heard"> of {label}</span>
          </button>
          <button type="button" className="pf-btn" onClick={onDisconnect}>
            Disconnect<span className="only-heard"> {label}</span>
          </button>
        </div>
      </div>
      <p className="pf-muted">
        Credentials from <Time at={updatedAt} />. To get incoming calls, set this webhook address (POST) at{" "}
        {label}:
      </p>
      <div className="secret">
        <code>{inboundUrl}</code>
        <CopyButton label={`webhook address for ${label}`} text={inboundUrl} />
      </div>
    </li>
  );
}

const SHOWN_NUMBERS = 5;

interface DisconnectDialogProps {
  readonly connection: CarrierConnection;
  /** The carrier's numbers. */
  readonly numbers: readonly PhoneNumber[];
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

/** Disconnects an account; says which numbers stop working. */
function DisconnectDialog({ connection, numbers, onClose, onDone }: DisconnectDialogProps) {
  const session = useSession();
  const { id: orgId } = useHere().org;
  const path = useCarriersPath();
  const { label } = PHONE_CARRIERS[connection.carrier];
  const disconnect = async (): Promise<void> => {
    await session.call(`${path}/${connection.id}`, { method: "DELETE", orgId });
    onClose();
    toast(`${label} disconnected.`);
    await onDone();
  };
  const more = numbers.length - SHOWN_NUMBERS;
  return (
    <FormDialog
      title={`Disconnect ${label}?`}
      does="Disconnect"
      isDanger
      onSubmit={disconnect}
      onClose={onClose}
    >
      {numbers.length === 0 ? (
        <p>None of your numbers use this account. Its credentials are deleted.</p>
      ) : (
        <>
          <p>
            {numbers.length === 1 ? "This number stops" : `These ${numbers.length} numbers stop`} working at
            once:
          </p>
          <ul className="stopping-numbers">
            {numbers.slice(0, SHOWN_NUMBERS).map(({ id, number, label: name }) => (
              <li key={id}>
                {phoneText(number)}
                {name && <span className="pf-muted"> {name}</span>}
              </li>
            ))}
            {more > 0 && <li className="pf-muted">and {more} more</li>}
          </ul>
          <p>
            Incoming calls are rejected, and calls and campaigns from {numbers.length === 1 ? "it" : "them"}{" "}
            fail, until you connect {label} again. You keep the numbers, and who they ring; the account’s
            credentials are deleted.
          </p>
        </>
      )}
      <p>When you connect {label} again, it gets a new webhook address for incoming calls.</p>
    </FormDialog>
  );
}
