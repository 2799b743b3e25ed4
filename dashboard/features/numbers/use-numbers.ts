import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

export const NUMBERS_PATH = "/api/voice/numbers";

/** The organization's phone numbers. */
export function useNumbers(): Data<readonly PhoneNumber[]> {
  const session = useSession();
  const { org } = useHere();
  return useData(
    `${NUMBERS_PATH}#${org.id}`,
    async () => {
      const { numbers } = await session.call<{ numbers: PhoneNumber[] }>(NUMBERS_PATH, {
        method: "GET",
        orgId: org.id,
      });
      return numbers;
    },
    { isList: true },
  );
}
