import { useState } from "react";
import { faultsOf } from "../api/api-error.ts";

type Faults = Readonly<Record<string, string>>;

/**
 * The API's messages about a form's fields, by name. `attempt` runs the request and rethrows errors that
 * concern none of these fields, to be shown below the form.
 */
export function useFieldFaults(names: readonly string[]): {
  readonly faults: Faults;
  readonly attempt: (request: () => Promise<void>) => Promise<void>;
} {
  const [faults, setFaults] = useState<Faults>({});
  const attempt = async (request: () => Promise<void>): Promise<void> => {
    setFaults({});
    try {
      await request();
    } catch (error) {
      const found = faultsOf(error);
      const fields = Object.keys(found);
      if (fields.length === 0 || !fields.every((field) => names.includes(field))) throw error;
      setFaults(found);
    }
  };
  return { faults, attempt };
}
