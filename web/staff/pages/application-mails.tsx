import { useState } from 'preact/hooks';
import type { Application, Mail } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Asking } from '../parts/dialog.js';
import { useFollow } from '../parts/follow.js';
import { Moment, NotSent } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { isOpen, nameOf } from '../parts/people.js';
import { type Column, Table } from '../parts/table.js';

/**
 * The mails about an application, each with its state. A mail that was sent or abandoned can be sent again, and the candidate
 * can be reminded.
 */
export const Mails = ({ application }: { readonly application: Application }) => {
  const { console, client, t, orgId, may } = usePlace();
  const params = { orgId, applicationId: application.id };
  const words = t.candidates.mails;
  const read = (signal: AbortSignal) =>
    client.get('/organisations/{orgId}/applications/{applicationId}/mails', { params, signal });
  const mails = useLoading(read, [orgId, application.id, application.version]);
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const resent = mails.data?.items.find(({ id }) => id === askedFor);
  useFollow(
    resent?.state === 'pending',
    async (signal) => {
      const { items } = await read(signal);
      return items.some(({ id, attempts }) => id === askedFor && attempts > (resent?.attempts ?? 0));
    },
    mails.reload,
    [askedFor, resent?.attempts],
  );
  const follow = ({ id }: Mail): void => {
    setAskedFor(id);
    mails.reload();
  };
  const resend = async (mailId: string): Promise<void> =>
    follow(
      await client.post('/organisations/{orgId}/applications/{applicationId}/mails/{mailId}/resend', {
        params: { ...params, mailId },
      }),
    );
  const remind = async (): Promise<void> =>
    follow(await client.post('/organisations/{orgId}/applications/{applicationId}/remind', { params }));
  const columns: readonly Column<Mail>[] = [
    { key: 'kind', head: words.mail, cell: ({ kind }) => words.kinds[kind] },
    {
      key: 'state',
      head: words.state,
      cell: ({ state, fault }) => (
        <>
          {words.states[state]}
          {fault && <span class="soft small"> ({words.faults[fault]})</span>}
        </>
      ),
    },
    {
      key: 'when',
      head: words.when,
      cell: ({ sentAt, nextAttemptAt, dueAt }) => <Moment at={nextAttemptAt ?? sentAt ?? dueAt} withTime />,
    },
  ];
  const again: Column<Mail> = {
    key: 'resend',
    acts: true,
    head: words.resend,
    cell: (mail) =>
      mayResend(mail, application) && (
        <Asking
          small
          label={words.resend}
          name={words.resendTitle(words.kinds[mail.kind])}
          title={words.resendTitle(words.kinds[mail.kind])}
          text={words.resendText(nameOf(application, t.candidates.erased))}
          work={() => resend(mail.id)}
        />
      ),
  };
  return (
    <section>
      <h2>{words.title}</h2>
      <NotSent console={console} />
      <p role="status">{resent && resultOf(resent, words)}</p>
      {isOpen(application) && may('candidates.invite') && (
        <div class="actions">
          <Asking
            label={t.candidates.remind}
            title={t.candidates.remind}
            text={words.remindText(nameOf(application, t.candidates.erased))}
            work={remind}
          />
        </div>
      )}
      <Loaded of={mails} what={words.what}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="soft">{words.none}</p>
          ) : (
            <Table<Mail>
              caption={words.title}
              rows={items}
              rowKey={({ id }) => id}
              columns={may('candidates.invite') ? [...columns, again] : columns}
            />
          )
        }
      </Loaded>
    </section>
  );
};

/** Whether the service would send it again: mails about an open session are not sent after its end. */
const mayResend = ({ kind, state }: Mail, application: Application): boolean =>
  (state === 'sent' || state === 'failed') &&
  (isOpen(application) || kind === 'receipt' || kind === 'cancellation');

/** The result of a request to send a mail again. */
const resultOf = (
  { kind, state }: Mail,
  words: {
    readonly kinds: Readonly<Record<Mail['kind'], string>>;
    readonly resending: (mail: string) => string;
    readonly resent: (mail: string) => string;
    readonly resendFailed: (mail: string) => string;
  },
): string => {
  const mail = words.kinds[kind];
  if (state === 'sent') return words.resent(mail);
  return state === 'failed' || state === 'off' ? words.resendFailed(mail) : words.resending(mail);
};
