import { CRAWL_DEPTH_MAX, CRAWL_PAGES_MAX, type KnowledgeCrawl } from "@parley/shared/contracts/knowledge.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { textOf } from "../../ui/use-submit.ts";
import type { DocumentDialogProps } from "./document-dialogs.tsx";
import { RefreshField } from "./refresh-field.tsx";

/** Adds a site to crawl, from one page along its links. */
export function AddSiteDialog({ path, onClose, onDone }: DocumentDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const add = async (fields: FormData): Promise<void> => {
    const body = {
      url: textOf(fields, "url"),
      maxPages: Number(textOf(fields, "maxPages")),
      maxDepth: Number(textOf(fields, "maxDepth")),
      refreshHours: Number(textOf(fields, "refreshHours")),
    };
    await session.call(path, { orgId: org.id, body });
    onClose();
    await onDone("The site is added.");
  };
  return (
    <FormDialog title="Add a site" does="Add" onSubmit={add} onClose={onClose}>
      <Field
        label="First page"
        name="url"
        type="url"
        maxLength={2_048}
        placeholder="https://"
        autoComplete="off"
        hint="Pages of the same site are found by its links, as far as the site's robots.txt allows."
        required
      />
      <Field
        label="Pages at most"
        name="maxPages"
        type="number"
        min={1}
        max={CRAWL_PAGES_MAX}
        defaultValue={50}
        required
      />
      <Field
        label="Links deep"
        name="maxDepth"
        type="number"
        min={0}
        max={CRAWL_DEPTH_MAX}
        defaultValue={3}
        hint="How many links a page may be away from the first one."
        required
      />
      <RefreshField />
    </FormDialog>
  );
}

export function DeleteSiteDialog({
  path,
  crawl,
  onClose,
  onDone,
}: DocumentDialogProps & { readonly crawl: KnowledgeCrawl }) {
  const session = useSession();
  const { org } = useHere();
  const remove = async (): Promise<void> => {
    await session.call(`${path}/${crawl.id}`, { method: "DELETE", orgId: org.id });
    onClose();
    await onDone(`${crawl.url} is deleted.`);
  };
  return (
    <FormDialog title={`Delete ${crawl.url}?`} does="Delete" isDanger onSubmit={remove} onClose={onClose}>
      <p>All pages of the site are deleted, and agents no longer answer from them. This cannot be undone.</p>
    </FormDialog>
  );
}
