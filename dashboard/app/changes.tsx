import { useChanges } from "../api/use-changes.ts";

/** Listens for the organization's changes on behalf of all pages. */
export function Changes() {
  useChanges();
  return null;
}
