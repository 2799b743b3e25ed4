/** Accepted uploads, by content type; apart from the schemas, which weigh more than the pages that show these. */
export const DOCUMENT_TYPES = {
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "text/html": "html",
  "text/markdown": "md",
  "text/plain": "txt",
  "text/csv": "csv",
} as const;
export type DocumentFormat = (typeof DOCUMENT_TYPES)[keyof typeof DOCUMENT_TYPES];
