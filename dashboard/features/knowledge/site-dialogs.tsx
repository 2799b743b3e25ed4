import {
  CRAWL_DEPTH_MAX,
  CRAWL_PAGES_MAX,
  createKnowledgeCrawlSchema,
  type KnowledgeCrawl,
} from "@parley/shared/contracts/knowledge.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { numberIn } from "../../ui/schema-form/number-in.ts";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import type { DocumentDialogProps } from "./document-dialogs.tsx";
import { RefreshField } from "./refresh-field.tsx";

/** Adds a site to crawl, from one page along its links. */
export function AddSiteDialog({ path, onClose, onDone }: DocumentDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: createKnowledgeCrawlSchema,
    values: { url: "", maxPages: "50", maxDepth: "3", refreshHours: "24" },
    body: ({ url, maxPages, maxDepth, refreshHours }) => ({
      url: url.trim(),
      maxPages: numberIn(maxPages),
      maxDepth: numberIn(maxDepth),
      refreshHours: Number(refreshHours),
    }),
    send: async (body) => {
      await session.call(path, { orgId: org.id, body });
      onClose();
      await onDone("Site added.");
    },
  });
  return (
    <SchemaDialog title="Add site" does="Add site" form={form} onClose={onClose}>
      <Field
        {...form.field("url", "First page")}
        type="url"
        placeholder="https://"
        autoComplete="off"
        hint="Pages of the same site are found by its links, as far as the site’s robots.txt allows."
        required
      />
      <Field
        {...form.field("maxPages", "Pages at most")}
        type="number"
        min={1}
        max={CRAWL_PAGES_MAX}
        required
      />
      <Field
        {...form.field("maxDepth", "Links deep")}
        type="number"
        min={0}
        max={CRAWL_DEPTH_MAX}
        hint="How many links a page may be away from the first one."
        required
      />
      <RefreshField {...form.field("refreshHours", "Read it again")} />
    </SchemaDialog>
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
    await onDone(`${crawl.url} deleted.`);
  };
  return (
    <FormDialog title={`Delete ${crawl.url}?`} does="Delete" isDanger onSubmit={remove} onClose={onClose}>
      <p>All pages of the site are deleted, and agents no longer answer from them. This cannot be undone.</p>
    </FormDialog>
  );
}
