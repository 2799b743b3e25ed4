import { Suspense } from "react";
import { later } from "../../ui/later.ts";

const AppIcon = later(async () => (await import("./app-icon.tsx")).AppIcon);

/** An app's icon. All icon pictures load with the first app. */
export function LazyAppIcon({ name }: { readonly name: string }) {
  return (
    <Suspense fallback={<span className="icon" />}>
      <AppIcon name={name} />
    </Suspense>
  );
}
