/**
 * The channel of rehearsals. It is also the node that a rehearsal in text names, since no gateway holds one; one in
 * speech names its gateway.
 */
export const SIMULATION = "simulation";
