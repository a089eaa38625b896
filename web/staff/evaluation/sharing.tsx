import { useRef, useState } from 'preact/hooks';
import type { NewShareLink, ShareLink } from '../../../packages/client/src/index.js';
import { given } from '../addresses.js';
import { usePlace } from '../console.js';
import { Dialog } from '../parts/dialog.js';
import { Field, FormEnd, useCommand, useUnsaved, wrongOf } from '../parts/form.js';
import { Badge, Empty, Moment } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Pager, Table } from '../parts/table.js';
import { linkState } from './parts.js';
import { useTexts } from './texts.js';

interface Props {
  readonly evaluationId: string;
  /** Whether there is a report to share. */
  readonly isReady: boolean;
  /** The page's address below the organisation's, and its query. */
  readonly page: string;
  readonly query: Readonly<Record<string, string>>;
  readonly memberOf: (subject: string) => string;
}

/** The links to an evaluation's report: their names, when they expire, and how often they were used. */
export const Sharing = ({ evaluationId, isReady, page, query, memberOf }: Props) => {
  const { client, orgId, language } = usePlace();
  const e = useTexts();
  const links = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/evaluations/{evaluationId}/share-links', {
        params: { orgId, evaluationId, ...given({ cursor: query['after'] }) },
        signal,
      }),
    [orgId, evaluationId, query['after']],
  );
  const stateOf = (link: ShareLink) => {
    const state = linkState(link, Date.now());
    if (state !== 'valid') return <Badge>{e.sharing[state]}</Badge>;
    const until = new Date(link.expiresAt).toLocaleDateString(language, { dateStyle: 'medium' });
    return <Badge tone="good">{e.sharing.valid(until)}</Badge>;
  };
  return (
    <section>
      <div class="row">
        <h2>{e.sharing.title}</h2>
        {isReady && <Share evaluationId={evaluationId} made={links.reload} />}
      </div>
      <p class="soft">{e.sharing.text}</p>
      <Loaded of={links} what={e.sharing.what}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Empty title={e.sharing.none} />
          ) : (
            <>
              <Table<ShareLink>
                caption={e.sharing.title}
                rows={items}
                rowKey={({ id }) => id}
                columns={[
                  {
                    key: 'label',
                    head: e.sharing.label,
                    cell: ({ label }) => label ?? <span class="soft plain">{e.sharing.unlabelled}</span>,
                  },
                  { key: 'state', head: e.sharing.state, cell: stateOf },
                  { key: 'views', head: e.sharing.views, figures: true, cell: ({ views }) => views },
                  {
                    key: 'by',
                    head: e.sharing.createdBy,
                    cell: ({ createdBy, createdAt }) => (
                      <>
                        {memberOf(createdBy)}, <Moment at={createdAt} />
                      </>
                    ),
                  },
                  {
                    key: 'revoke',
                    acts: true,
                    head: e.sharing.revoke,
                    cell: (link) =>
                      linkState(link, Date.now()) === 'valid' ? (
                        <Revoke evaluationId={evaluationId} link={link} revoked={links.reload} />
                      ) : (
                        '–'
                      ),
                  },
                ]}
              />
              <Pager page={page} query={query} nextCursor={nextCursor} />
            </>
          )
        }
      </Loaded>
    </section>
  );
};

const DAYS = '30';

/** Makes a link, then shows it once. */
const Share = ({ evaluationId, made }: { readonly evaluationId: string; readonly made: () => void }) => {
  const { client, t, orgId } = usePlace();
  const e = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [label, setLabel] = useState('');
  const [days, setDays] = useState(DAYS);
  const [link, setLink] = useState<NewShareLink | null>(null);
  const command = useCommand();
  useUnsaved(isOpen && link === null && label.trim() !== '');
  const close = (): void => {
    setOpen(false);
    setLink(null);
    setLabel('');
    setDays(DAYS);
    command.forget();
  };
  return (
    <>
      <button class="button small" type="button" onClick={() => setOpen(true)}>
        {e.sharing.make}
      </button>
      {isOpen && link === null && (
        <Dialog title={e.sharing.make} close={close}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void command.run(async () => {
                setLink(
                  await client.post('/organisations/{orgId}/evaluations/{evaluationId}/share-links', {
                    params: { orgId, evaluationId },
                    body: {
                      expiresInDays: Number(days),
                      ...(label.trim() !== '' && { label: label.trim() }),
                    },
                  }),
                );
                made();
              });
            }}
          >
            <Field
              label={e.sharing.label}
              value={label}
              change={setLabel}
              hint={e.sharing.labelHint}
              wrong={wrongOf(command.error, 'label', t.failure)}
            />
            <Field
              label={e.sharing.days}
              type="number"
              required
              min={1}
              max={365}
              value={days}
              change={setDays}
              hint={e.sharing.daysHint}
              wrong={wrongOf(command.error, 'expiresInDays', t.failure)}
            />
            <FormEnd command={command} label={e.sharing.make} cancel={close} />
          </form>
        </Dialog>
      )}
      {isOpen && link !== null && <Made url={link.url} close={close} />}
    </>
  );
};

const Made = ({ url, close }: { readonly url: string; readonly close: () => void }) => {
  const { t } = usePlace();
  const e = useTexts();
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState('');
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(url);
      setCopied(e.sharing.copied);
    } catch {
      setCopied(e.sharing.uncopied);
    }
  };
  return (
    <Dialog title={e.sharing.made} text={e.sharing.madeText} close={close}>
      <label class="form-field">
        <span>{e.sharing.url}</span>
        <input class="field" ref={field} readOnly value={url} onFocus={() => field.current?.select()} />
      </label>
      <p role="status">{copied}</p>
      <div class="actions">
        <button class="button" type="button" onClick={() => void copy()}>
          {e.sharing.copy}
        </button>
        <button class="button quiet" type="button" onClick={close}>
          {t.form.close}
        </button>
      </div>
    </Dialog>
  );
};

/** Revokes a link, after explaining the effect. */
const Revoke = ({
  evaluationId,
  link,
  revoked,
}: {
  readonly evaluationId: string;
  readonly link: ShareLink;
  readonly revoked: () => void;
}) => {
  const { client, orgId } = usePlace();
  const e = useTexts();
  const [isOpen, setOpen] = useState(false);
  const command = useCommand();
  const name = link.label ?? e.sharing.unlabelled;
  const close = (): void => {
    setOpen(false);
    command.forget();
  };
  return (
    <>
      <button
        class="button quiet small"
        type="button"
        aria-label={`${e.sharing.revoke}: ${name}`}
        onClick={() => setOpen(true)}
      >
        {e.sharing.revoke}
      </button>
      {isOpen && (
        <Dialog title={e.sharing.revoke} text={e.sharing.revokeText(name)} close={close}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void command.run(async () => {
                await client.delete(
                  '/organisations/{orgId}/evaluations/{evaluationId}/share-links/{shareLinkId}',
                  { params: { orgId, evaluationId, shareLinkId: link.id } },
                );
                close();
                revoked();
              });
            }}
          >
            <FormEnd command={command} label={e.sharing.revoke} tone="danger">
              <button class="button quiet" type="button" onClick={close}>
                {e.sharing.keep}
              </button>
            </FormEnd>
          </form>
        </Dialog>
      )}
    </>
  );
};
