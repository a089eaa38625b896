import { useState } from 'preact/hooks';
import type { App } from '../app.js';
import { Confirm, Status } from '../parts.js';

export const Withdraw = ({ app }: { readonly app: App }) => {
  const t = app.t.value.withdraw;
  const [asking, setAsking] = useState(false);
  const [failed, setFailed] = useState(false);
  return (
    <details class="leave">
      <summary>{t.title}</summary>
      <p>{t.text}</p>
      <button class="button quiet" type="button" onClick={() => setAsking(true)}>
        {t.button}
      </button>
      {failed && <Status tone="bad">{t.failed}</Status>}
      {asking && (
        <Confirm
          title={t.confirmTitle}
          text={t.confirmText}
          yes={t.confirm}
          no={t.cancel}
          dangerous
          close={() => setAsking(false)}
          confirm={() => {
            setAsking(false);
            void app.withdraw().then((done) => setFailed(!done));
          }}
        />
      )}
    </details>
  );
};
