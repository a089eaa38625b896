/** Injection tokens of the ports: interfaces have no value that Nest could inject by. */
export const VAULT = Symbol('Vault');
export const EVENT_STORE = Symbol('EventStore');
export const READ_STORE = Symbol('ReadStore');
