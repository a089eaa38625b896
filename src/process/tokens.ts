/** Injection token of the vault: an interface has no value that Nest could inject by. */
export const VAULT = Symbol('Vault');
