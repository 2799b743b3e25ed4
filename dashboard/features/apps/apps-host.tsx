import { drawnWords } from "@parley/platform/manifest/drawn-words.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { toast } from "../../ui/toast.ts";
import { type AppModal, type AppsHost, AppsHostContext } from "./apps-host-context.ts";
import { LazyAppFrame } from "./lazy-app-frame.tsx";

/** Provides modals and toasts for all pages. An app's text is plain, and labeled with the app's name. */
export function AppsHostProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [modal, setModal] = useState<AppModal>();
  const host = useMemo<AppsHost>(
    () => ({
      openModal: setModal,
      toast: (appName, text) => toast(`The app ${drawnWords(appName)}: ${drawnWords(text)}`),
      refresh: (target) =>
        void queries.invalidateQueries({ predicate: ({ queryKey }) => isOf(target, queryKey) }),
      navigate: (href) => void navigate({ href }),
    }),
    [queries, navigate],
  );
  const close = (): void => setModal(undefined);
  return (
    <AppsHostContext value={host}>
      {children}
      {modal && (
        <Dialog title={modal.appName} size="wide" onClose={close}>
          <div className={`app-modal app-modal-${modal.size}`}>
            <LazyAppFrame {...modal} onCloseModal={close} />
          </div>
        </Dialog>
      )}
    </AppsHostContext>
  );
}

/** Whether a query belongs to a target: query keys are API addresses. */
function isOf(target: string, [key]: readonly unknown[]): boolean {
  if (typeof key !== "string") return false;
  if (target === "calls") return key.includes("/sessions") || key.includes("/calls");
  if (target === "agents") return key.includes("/agents");
  return key.includes("/campaigns");
}
