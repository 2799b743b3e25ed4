/** What the database thread and its process say to each other. */
export interface QueryMessage {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface QueryFault {
  readonly message: string;
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly table: string | undefined;
}

export type ThreadAnswer =
  | { readonly id: number; readonly rows: unknown[]; readonly affectedRows: number | undefined }
  | { readonly id: number; readonly error: QueryFault };

export interface PgliteThreadData {
  /** Directory of the database; undefined keeps it in memory. */
  readonly directory: string | undefined;
  /** File of a dumped database that one in memory begins with; empty when absent. */
  readonly snapshot?: string | undefined;
}
