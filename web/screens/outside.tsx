import { useState } from 'preact/hooks';
import type { App } from '../app.js';
import { Screen, Status } from '../parts.js';
import type { Because } from '../state.js';

interface Props {
  readonly app: App;
}

export const SignedOut = ({ app, because }: Props & { readonly because: Because }) => {
  const t = app.t.value.signIn;
  const config = app.config.value;
  const [leaving, setLeaving] = useState(false);
  return (
    <Screen title={t.title}>
      <section class="card">
        {because !== 'new' && (
          <p class="note bad" role="alert">
            {t[because]}
          </p>
        )}
        {config === null ? (
          <p role="alert">{t.unavailable}</p>
        ) : (
          <>
            <p>{t.text}</p>
            {config.signIn === 'email' && <p class="soft">{t.byCode}</p>}
            <button
              class="button"
              type="button"
              disabled={leaving}
              onClick={() => {
                setLeaving(true);
                void app.leaveToSignIn().finally(() => setLeaving(false));
              }}
            >
              {t.button}
            </button>
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
        <button class="button" type="button" onClick={() => location.reload()}>
          {t.tryAgain}
        </button>
      </section>
    </Screen>
  );
};

export const Loading = ({ app }: Props) => <Status>{app.t.value.loading}</Status>;
