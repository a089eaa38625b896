import { useState } from 'preact/hooks';
import type { App } from '../app.js';
import { Card, Confirm, dateTime, Status } from '../parts.js';
import type { Application } from '../records.js';

/** Asks staff to erase the candidate, once. */
export const Erasure = ({
  app,
  application,
  organisationName,
}: {
  readonly app: App;
  readonly application: Application;
  readonly organisationName: string | null;
}) => {
  const t = app.t.value.erasure;
  const [requestedAt, setRequestedAt] = useState(application.erasureRequestedAt);
  const [asking, setAsking] = useState(false);
  const [failed, setFailed] = useState(false);
  const asked = requestedAt === null ? '' : t.asked(dateTime(app.language.value, requestedAt));
  return (
    <Card title={t.title}>
      <p>{t.text(organisationName)}</p>
      {requestedAt === null && (
        <button class="button quiet" type="button" onClick={() => setAsking(true)}>
          {t.button}
        </button>
      )}
      <Status tone={failed ? 'bad' : 'good'}>{failed ? t.failed : asked}</Status>
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
            void app.askForErasure().then((at) => {
              setFailed(at === null);
              setRequestedAt(at);
            });
          }}
        />
      )}
    </Card>
  );
};
