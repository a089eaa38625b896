import { reportedByClient } from './reported-by-client.js';

/** The client told that its network is another one now. */
export const networkChanged = reportedByClient('network_changed', 'network.changed');
