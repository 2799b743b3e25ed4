import { later } from "../../ui/later.ts";

/** An app's icon. All icon pictures load with the first app. */
export const LazyAppIcon = later(
  async () => (await import("./app-icon.tsx")).AppIcon,
  () => <span className="icon" />,
);
