import { useState } from 'preact/hooks';
import type { App } from '../app.js';
import { Screen, Status } from '../parts.js';
import type { Because } from '../state.js';

interface Props {
  readonly app: App;
}

export const SignedOut = ({ app, because }: Props & { readonly because: Because }) => {
  const texts = app.t.value;
  const t = texts.signIn;
  const config = app.config.value;
  const [leaving, setLeaving] = useState(false);
  const said =
    because === 'left' && config?.signIn === 'oidc'
      ? t.leftHere
      : because === 'new'
        ? null
        : t.because[because];
  if (because === 'leaving') return <Status>{said}</Status>;
  if (because === 'unreached')
    return (
      <Screen title={t.unreachedTitle}>
        <section class="card">
          <p class="note bad" role="alert">
            {said}
          </p>
          <button class="button" type="button" onClick={() => void app.finishSignOut()}>
            {texts.tryAgain}
          </button>
        </section>
      </Screen>
    );
  return (
    <Screen title={t.title}>
      <section class="card">
        {said !== null && (
          <p class={because === 'left' ? 'note' : 'note bad'} role="alert">
            {said}
          </p>
        )}
        {config === null ? (
          <>
            <p role="alert">{t.unavailable}</p>
            <button class="button" type="button" onClick={() => void app.tryAgain()}>
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
                  void app.leaveToSignIn().finally(() => setLeaving(false));
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

export const Unknown = ({ app }: Props) => {
  const t = app.t.value.unknown;
  return (
    <Screen title={t.title}>
      <section class="card">
        <p>{t.text}</p>
        <p>{t.todo}</p>
        <button class="button" type="button" onClick={() => void app.signOut()}>
          {t.other}
        </button>
      </section>
    </Screen>
  );
};

export const Unavailable = ({ app }: Props) => {
  const t = app.t.value;
  return (
    <Screen title={t.unavailable.title}>
      <section class="card">
        <p>{t.unavailable.text}</p>
        <button class="button" type="button" onClick={() => void app.tryAgain()}>
          {t.tryAgain}
        </button>
      </section>
    </Screen>
  );
};

/** Says what it waits for if that takes long. */
export const Loading = ({ app }: Props) => {
  const t = app.t.value;
  const waiting = app.waiting.value;
  return (
    <>
      <Status>{waiting ? t.waiting[waiting.what] : t.loading}</Status>
      {waiting && (
        <div class="actions">
          <button class="button" type="button" onClick={() => void app.tryAgain()}>
            {t.tryAgain}
          </button>
        </div>
      )}
    </>
  );
};
