/** Injection token of the address that callers reach the service at. */
export const PUBLIC_URL = Symbol('PublicUrl');
