import { useState } from "react";
import { faultsOf } from "../api/api-error.ts";

type Faults = Readonly<Record<string, string>>;

/**
 * What the API said is wrong of a form's fields, each by its name. `attempt` runs the request; it throws what is about
 * none of these fields, to be told below all of them.
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
