/** Gets an ID token from the development issuer of a running service, by `POST {issuer}/token-for`. */
export const tokenFor = async (serviceUrl: string, email: string, emailVerified = true): Promise<string> => {
  const response = await fetch(`${serviceUrl}/issuer/token-for`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, emailVerified }),
  });
  if (!response.ok) throw new Error(`No token for ${email}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { idToken: string }).idToken;
};

/** The headers of a request with this token. */
export const as = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

/** The payload of a token, without verification. */
export const payloadOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with the header, payload or signature of another one replaced. */
export const reassemble = (
  token: string,
  change: { header?: Record<string, unknown>; payload?: Record<string, unknown>; signature?: string },
): string => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return [
    change.header ? encode(change.header) : header,
    change.payload ? encode({ ...payloadOf(token), ...change.payload }) : payload,
    change.signature ?? signature,
  ].join('.');
};

/** A valid unsecured token (`alg: none`) with the claims of the given one. */
export const unsecured = (token: string): string =>
  reassemble(token, { header: { alg: 'none', typ: 'JWT' }, signature: '' });
