/** Injection tokens of values that have no class for Nest to inject by. */

/** Of the `EventStore`. */
export const EVENT_STORE = Symbol('EventStore');
/** Of the `Codec` of stored events. */
export const CODEC = Symbol('Codec');
/** Of the `ViewReader`. */
export const VIEW_READER = Symbol('ViewReader');
/** Of the `Vault`. */
export const VAULT = Symbol('Vault');
/** Of the address that callers reach the service at. */
export const PUBLIC_URL = Symbol('PublicUrl');
/** Of the process's way to send mails, `Mails`. */
export const MAILS = Symbol('Mails');
