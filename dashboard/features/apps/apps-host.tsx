import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { type AppModal, type AppsHost, AppsHostContext } from "./apps-host-context.ts";
import { LazyAppFrame } from "./lazy-app-frame.tsx";

const TOAST_MS = 6_000;
const MOST_TOASTS = 3;

interface Toast {
  readonly id: number;
  readonly appName: string;
  readonly text: string;
}

/** Around all pages: their modals and toasts. What an app says is plain text, and it says whose it is. */
export function AppsHostProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [modal, setModal] = useState<AppModal>();
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const host = useMemo<AppsHost>(
    () => ({
      openModal: setModal,
      toast: (appName, text) =>
        setToasts((shown) =>
          [...shown, { id: performance.now() + Math.random(), appName, text }].slice(-MOST_TOASTS),
        ),
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
      <div className="app-toasts" role="status">
        {toasts.map((toast) => (
          <ToastCard
            key={toast.id}
            toast={toast}
            onOver={() => setToasts((shown) => shown.filter(({ id }) => id !== toast.id))}
          />
        ))}
      </div>
    </AppsHostContext>
  );
}

function ToastCard({ toast, onOver }: { readonly toast: Toast; readonly onOver: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onOver, TOAST_MS);
    return () => clearTimeout(timer);
  });
  return (
    <p className="pf-card app-toast">
      <span className="pf-muted">{toast.appName}</span> {toast.text}
    </p>
  );
}

/** Which of what is loaded a target means: pages are loaded under the address they are asked at. */
function isOf(target: string, [key]: readonly unknown[]): boolean {
  if (typeof key !== "string") return false;
  if (target === "calls") return key.includes("/sessions") || key.includes("/calls");
  if (target === "agents") return key.includes("/agents");
  return key.includes("/campaigns");
}
