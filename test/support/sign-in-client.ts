import { createHash, randomBytes } from 'node:crypto';

/** A page, without the secrets in its form. */
interface Shown {
  readonly status: number;
  readonly html: string;
}

/**
 * The parts of a browser that a sign-in needs: it keeps cookies by path. It follows the redirect of a form to its own
 * page, which shows the form's answer, and no other redirect.
 */
export class Browser {
  private readonly cookies = new Map<string, { value: string; path: string }>();

  constructor(readonly origin: string) {}

  /** The same browser, with the next requests sent to another process, as by a load balancer. */
  at(origin: string): Browser {
    const other = new Browser(origin);
    for (const [key, cookie] of this.cookies) other.cookies.set(key, cookie);
    return other;
  }

  async go(
    address: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const response = await this.fetch(address, form, headers);
    const location = response.headers.get('location') ?? '';
    return form && location.endsWith('?sent') ? this.go(location, undefined, headers) : response;
  }

  private async fetch(
    address: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const url = new URL(address, this.origin);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: this.cookiesFor(url.pathname), accept: 'text/html', ...headers },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const path =
        attributes.find((attribute) => attribute.startsWith('path='))?.slice('path='.length) ?? '/';
      const [name = '', value = ''] = pair.split('=');
      if (value === '') this.cookies.delete(`${path} ${name}`);
      else this.cookies.set(`${path} ${name}`, { value, path });
    }
    return response;
  }

  /**
   * Sends a form, and loads the page in its answer twice.
   * @returns the redirect, and what was shown first and when it was loaded again
   */
  async sendAndReload(
    address: string,
    form: Record<string, string>,
  ): Promise<{ readonly redirect: readonly [status: number, location: string]; readonly shown: Shown[] }> {
    const sent = await this.fetch(address, form);
    const location = sent.headers.get('location') ?? '';
    const shown: Shown[] = [];
    for (let times = 0; times < 2; times++) {
      const page = await this.fetch(location);
      shown.push({ status: page.status, html: (await page.text()).replaceAll(/value="[\w-]{40,}"/g, '') });
    }
    return { redirect: [sent.status, location], shown };
  }

  /** The cookies that it sends to a path. */
  cookiesFor(pathname: string): string {
    return [...this.cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split(' ')[1]}=${value}`)
      .join('; ');
  }
}

/** An authorization request, and what the client needs later to exchange the code. */
export interface AuthorizationRequest {
  readonly url: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** Makes an authorization request with PKCE. `change` replaces parameters; an empty value removes one. */
export const authorizationRequest = (
  endpoint: string,
  redirectUri: string,
  change: Record<string, string> = {},
): AuthorizationRequest => {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL(endpoint);
  const parameters = {
    client_id: 'assay',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'the-state',
    nonce: 'the-nonce',
    ...change,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== '') url.searchParams.set(name, value);
  return { url: url.href, verifier, redirectUri };
};

/** Exchanges a code for tokens, as a public client does. */
export const exchange = (
  endpoint: string,
  code: string,
  request: AuthorizationRequest,
  clientId = 'assay',
): Promise<Response> =>
  fetch(endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: request.redirectUri,
      code,
      code_verifier: request.verifier,
    }),
  });
