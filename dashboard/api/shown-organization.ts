import type { Me } from "@parley/shared/contracts/accounts.ts";

const STORED_UNDER = "parley-org";

/** The organization that was last chosen in this browser. */
export function storedOrganization(): string | null {
  return localStorage.getItem(STORED_UNDER);
}

export function storeOrganization(id: string): void {
  localStorage.setItem(STORED_UNDER, id);
}

/** The chosen one of a person's organizations, or their first. */
export function shownOrganization(
  { organizations }: Me,
  chosen: string | null,
): Me["organizations"][number] | undefined {
  return organizations.find(({ id }) => id === chosen) ?? organizations[0];
}
