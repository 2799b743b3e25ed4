import {
  ACCOUNT_CARRIERS,
  type AccountCarrierName,
  PHONE_CARRIERS,
} from "@parley/shared/contracts/phone-carriers.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { ChoiceField, Field, LongField, PasswordField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { LoadProblem } from "../../ui/loaded.tsx";
import { toast } from "../../ui/toast.ts";
import { textOf } from "../../ui/use-submit.ts";
import { useCarriers, useCarriersPath } from "./use-carriers.ts";

interface CarrierDialogProps {
  /** Whose credentials are to be replaced; absent, it is chosen. */
  readonly of?: AccountCarrierName;
  readonly onClose: () => void;
}

/** Connects the organization's account at a carrier, or replaces the credentials of one. Each carrier has one account. */
export function CarrierDialog({ of, onClose }: CarrierDialogProps) {
  const session = useSession();
  const { id: orgId } = useHere().org;
  const path = useCarriersPath();
  const loaded = useCarriers();
  const [carrier, choose] = useState<AccountCarrierName>(of ?? ACCOUNT_CARRIERS[0]);
  const connected = loaded.data?.find((each) => each.carrier === carrier);
  const { label, credentials } = PHONE_CARRIERS[carrier];
  const save = async (fields: FormData): Promise<void> => {
    const typed = Object.keys(credentials.shape).map((key) => [key, textOf(fields, key)] as const);
    const body = { credentials: Object.fromEntries(typed) };
    if (connected) await session.call(`${path}/${connected.id}/credentials`, { method: "PUT", orgId, body });
    else await session.call(path, { method: "POST", orgId, body: { carrier, ...body } });
    await loaded.reload();
    toast(connected ? `${label}: credentials replaced.` : `${label} connected.`);
    onClose();
  };
  return (
    <FormDialog
      title={of ? `Replace credentials of ${label}` : "Connect carrier"}
      does={connected ? "Replace credentials" : "Connect"}
      isReady={loaded.data !== undefined}
      onSubmit={save}
      onClose={onClose}
    >
      <LoadProblem of={loaded} />
      <ChoiceField
        label="Carrier"
        name="carrier"
        value={carrier}
        onChange={(event) => choose(event.target.value as AccountCarrierName)}
        hint={
          connected
            ? `Connected: ${connected.account}. What you enter replaces its credentials.`
            : "Parley tries the credentials before it keeps them, and never shows them again."
        }
      >
        {ACCOUNT_CARRIERS.map((each) => (
          <option key={each} value={each}>
            {PHONE_CARRIERS[each].label}
          </option>
        ))}
      </ChoiceField>
      <Credentials key={carrier} of={carrier} />
    </FormDialog>
  );
}

/** What the carrier's console calls its credentials. */
function Credentials({ of }: { readonly of: AccountCarrierName }) {
  const { account, credentials } = PHONE_CARRIERS[of];
  return Object.entries(credentials.shape).map(([key, { description }]) => {
    const field = {
      label: labelOf(key),
      name: key,
      hint: description && sentence(description),
      spellCheck: false,
      required: true,
    };
    if (key === "privateKey") return <LongField key={key} {...field} rows={PEM_ROWS} />;
    if (key === account || PUBLIC_KEYS.has(key))
      return <Field key={key} {...field} autoComplete="off" autoCapitalize="none" />;
    return <PasswordField key={key} {...field} autoComplete="new-password" />;
  });
}

const PEM_ROWS = 4;
const PUBLIC_KEYS = new Set(["publicKey"]);
const ACRONYMS = new Set(["api", "id", "sid"]);

/** `accountSid` is the account SID. */
function labelOf(key: string): string {
  const words = key
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .split(" ")
    .map((word) => (ACRONYMS.has(word) ? word.toUpperCase() : word))
    .join(" ");
  return sentence(words);
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
