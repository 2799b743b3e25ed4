import { fileURLToPath } from "node:url";

/** Where the dashboard's build puts its pages. */
export const PAGES_DIR = fileURLToPath(new URL("../../../dashboard/dist", import.meta.url));
