import { Icon } from "../../ui/icon.tsx";
import type { Notice } from "./words.ts";

interface NoticesProps {
  readonly notices: readonly Notice[];
  readonly onDismiss: () => void;
}

/** What went wrong or ended, in plain words; announced when it appears. */
export function Notices({ notices, onDismiss }: NoticesProps) {
  return (
    <div className="talk-notices" role="status" aria-label="Notices">
      {notices.map((notice) => (
        <div key={notice.title} className={`talk-notice talk-notice-${notice.tone}`}>
          <p>
            <strong>{notice.title}.</strong> {notice.text}
          </p>
          {notice.dismissible && (
            <button type="button" className="pf-btn pf-btn-quiet" aria-label="Dismiss" onClick={onDismiss}>
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
