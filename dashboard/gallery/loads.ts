const reload = async (): Promise<void> => undefined;

/** The three states of data that a component may show. */
export const loaded = { problem: undefined, isLoading: false, reload };
export const loading = { ...loaded, isLoading: true };
export const refused = { ...loaded, problem: "The database is away." };
