import { useState } from 'preact/hooks';
import { Screen, Status } from '../../shared/components.js';
import type { App } from '../app.js';
import type { SignedOutReason } from '../state.js';

/**
 * Shown while the candidate is signed out: the reason, and a button to sign in (`Account.leave`). A sign-out that did not
 * reach the service is finished by `Account.finishSignOut` first.
 */
export const SignedOut = ({ app, because }: { readonly app: App; readonly because: SignedOutReason }) => {
  const { account } = app;
  const texts = app.t.value;
  const t = texts.signIn;
  const config = account.config.value;
  const [leaving, setLeaving] = useState(false);
  const message =
    // The candidate may still be signed in at the organisation's provider.
    because === 'left' && config?.signIn === 'oidc'
      ? t.leftHere
      : because === 'new'
        ? null
        : t.because[because];
  if (because === 'leaving') return <Status>{message}</Status>;
  if (because === 'unreached')
    return (
      <Screen title={t.unreachedTitle}>
        <section class="card">
          <p class="note bad" role="alert">
            {message}
          </p>
          <button class="button" type="button" onClick={() => void account.finishSignOut()}>
            {texts.tryAgain}
          </button>
        </section>
      </Screen>
    );
  return (
    <Screen title={t.title}>
      <section class="card">
        {message !== null && (
          <p class={because === 'left' ? 'note' : 'note bad'} role="alert">
            {message}
          </p>
        )}
        {config === null ? (
          <>
            <p role="alert">{t.unavailable}</p>
            <button class="button" type="button" onClick={() => void account.tryAgain()}>
              {texts.tryAgain}
            </button>
          </>
        ) : (
          <>
            <p>{t.text}</p>
            {config.signIn === 'email' && <p class="soft">{t.byCode}</p>}
            <div class="actions">
              <button
                class="button"
                type="button"
                aria-disabled={leaving}
                onClick={() => {
                  if (leaving) return;
                  setLeaving(true);
                  void account.leave().finally(() => setLeaving(false));
                }}
              >
                {leaving ? t.leaving : t.button}
              </button>
            </div>
          </>
        )}
      </section>
    </Screen>
  );
};
