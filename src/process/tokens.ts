/** Injection token of the vault: an interface has no value that Nest could inject by. */
export const VAULT = Symbol('Vault');
/** Injection token of the address that callers reach the service at. */
export const PUBLIC_URL = Symbol('PublicUrl');
/** Injection token of the process's way to send mails. */
export const MAILS = Symbol('Mails');
