import type Provider from 'oidc-provider';
import { redirect } from './forms.js';
import type { Exchange } from './routes.js';

/** A sign-in under way, as the provider’s library stores it. */
export type SignInDetails = Awaited<ReturnType<Provider['interactionDetails']>>;

/** A browser’s session with the provider, as its library stores it. */
export type ProviderSession = Awaited<ReturnType<Provider['Session']['get']>>;

/** The sign-in of the browser's cookie; `null`: it has ended, or was begun in another browser. */
export const signInOf = async (
  provider: Provider,
  { request, response }: Exchange,
): Promise<SignInDetails | null> => {
  try {
    return await provider.interactionDetails(request, response);
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') return null;
    throw error;
  }
};

/**
 * Gives the provider the account that signed in, and redirects the browser back to the provider.
 * @param login the account in the library's form. `remember: false`: the session ends with the browser
 * @param endSession called with the session of another account that is signed in in this browser
 */
export const finishSignIn = async (
  provider: Provider,
  { request, response }: Exchange,
  details: SignInDetails,
  login: { readonly accountId: string; readonly remember?: boolean },
  endSession: (session: ProviderSession) => Promise<void>,
): Promise<void> => {
  // The provider refuses a sign-in within the session of another account: end that session first.
  if (details.session && details.session.accountId !== login.accountId) {
    const former = await provider.Session.findByUid(details.session.uid);
    if (former) await endSession(former);
    delete details.session;
    await details.save(details.exp - Math.floor(Date.now() / 1000));
  }
  const next = new URL(await provider.interactionResult(request, response, { login }));
  // A path without a host: the browser stays at the host name that it used, and so keeps its cookies.
  redirect(response, next.pathname);
};
