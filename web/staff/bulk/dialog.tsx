import { useEffect, useRef, useState } from 'preact/hooks';
import { usePlace } from '../console.js';
import { Dialog } from '../parts/dialog.js';
import { Field } from '../parts/form.js';
import { isOpen, nameOf } from '../parts/people.js';
import { faultOf, sentenceOf } from '../parts/sentences.js';
import { Table } from '../parts/table.js';
import { confirmation, forEachRow, hasPassed, type Result, type Row, undone } from './selection.js';

export type BulkAction = 'extend' | 'remind' | 'cancel';

/** Waits as long as the service asks for, since many rows reach its rate limit. */
const PATIENT = { maxRetries: 10, maxWaitMs: 60_000 };

/** Explains the action, runs it row by row, and shows each row's result. Closing it skips the rows not begun. */
export const BulkDialog = ({
  action,
  rows,
  close,
}: {
  readonly action: BulkAction;
  readonly rows: readonly Row[];
  /** @param wasBegun whether anything may have changed */
  readonly close: (wasBegun: boolean) => void;
}) => {
  const { client, t, orgId } = usePlace();
  const words = t.candidates.bulk;
  const [state, setState] = useState<'asking' | 'running' | 'stopped' | 'ended'>('asking');
  const [until, setUntil] = useState('');
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [isPast, setPast] = useState(false);
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const stopping = useRef<AbortController | null>(null);
  // The same key for each try, so that a row that is tried again is the same command.
  const run = useRef(crypto.randomUUID());
  useEffect(() => () => stopping.current?.abort(), []);

  const remind = async (applicationId: string): Promise<Result> => {
    const { state: sending } = await client.post(
      '/organisations/{orgId}/applications/{applicationId}/remind',
      {
        params: { orgId, applicationId },
        idempotencyKey: `${run.current}.${applicationId}`,
        ...PATIENT,
      },
    );
    return sending === 'off' ? { kind: 'refused', why: t.candidates.mails.states.off } : { kind: 'done' };
  };
  const work = async (row: Row): Promise<Result> => {
    if (!isOpen(row)) return { kind: 'refused', why: words.over };
    const { id } = row;
    const params = { orgId, applicationId: id };
    try {
      if (action === 'remind') return await remind(id);
      if (action === 'extend')
        await client.patch('/organisations/{orgId}/applications/{applicationId}', {
          params,
          body: { expiresAt: new Date(until).toISOString() },
          ...PATIENT,
        });
      else
        await client.post('/organisations/{orgId}/applications/{applicationId}/cancel', {
          params,
          idempotencyKey: `${run.current}.${id}`,
          ...PATIENT,
        });
      return { kind: 'done' };
    } catch (error) {
      return { kind: 'refused', why: sentenceOf(error, t.failure) };
    }
  };
  const open = rows.filter(isOpen);
  const { named, more, asked } = confirmation(open.map((one) => nameOf(one, t.candidates.erased)));
  const begin = async (): Promise<void> => {
    if (state === 'running') return;
    const isUnconfirmed = action === 'cancel' && state === 'asking' && typed.trim() !== asked;
    setWrong(isUnconfirmed);
    // Otherwise every row would be refused, and the selection lost with the dialog.
    const isTooEarly = action === 'extend' && state === 'asking' && hasPassed(until, Date.now());
    setPast(isTooEarly);
    if (isUnconfirmed || isTooEarly) return;
    const leaving = new AbortController();
    stopping.current = leaving;
    setState('running');
    const tell = (id: string, result: Result): void => setResults((known) => new Map(known).set(id, result));
    await forEachRow(undone(rows, results), work, tell, leaving.signal);
    if (!leaving.signal.aborted) setState('ended');
  };
  const stop = (): void => {
    stopping.current?.abort();
    setState('stopped');
  };
  const titles = { extend: t.candidates.extend, remind: t.candidates.remind, cancel: t.candidates.cancel };
  const texts = { extend: words.extendText, remind: words.remindText, cancel: words.cancelText };
  const left = undone(rows, results);
  return (
    <Dialog
      title={titles[action]}
      text={state === 'asking' && open.length > 0 ? texts[action](open.length) : undefined}
      close={() => close(state !== 'asking')}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        {state === 'asking' ? (
          <>
            {open.length > 0 && action === 'cancel' && (
              <>
                <ul aria-label={words.people}>
                  {named.map((name, at) => (
                    <li key={at}>{name}</li>
                  ))}
                  {more > 0 && <li class="soft">{words.more(more)}</li>}
                </ul>
                <Field
                  label={open.length === 1 ? t.candidates.eraseName : words.number}
                  value={typed}
                  change={setTyped}
                  {...(isWrong
                    ? { wrong: t.candidates.eraseAsks(asked) }
                    : { hint: t.candidates.eraseAsks(asked) })}
                />
              </>
            )}
            {open.length < rows.length && (
              <p class="soft">{words.overAlready(rows.length - open.length, rows.length)}</p>
            )}
            {open.length > 0 && action === 'extend' && (
              <Field
                label={t.candidates.expiresAt}
                type="datetime-local"
                required
                value={until}
                change={setUntil}
                hint={t.candidates.ownTime}
                wrong={isPast ? faultOf({ path: '', rule: 'future', message: '' }, t.failure) : null}
              />
            )}
          </>
        ) : (
          <>
            <p role="status">
              {words.progress(rows.length - left.length, rows.length)}
              {state === 'stopped' && ` ${words.stopped}`}
            </p>
            <progress value={results.size} max={rows.length} aria-label={titles[action]} />
            <Table<Row>
              caption={words.result}
              rows={rows}
              rowKey={({ id }) => id}
              columns={[
                {
                  key: 'name',
                  head: t.candidates.candidate,
                  cell: (one) => nameOf(one, t.candidates.erased),
                },
                {
                  key: 'result',
                  head: words.result,
                  cell: ({ id }) => {
                    const result = results.get(id);
                    return !result ? words.waiting : result.kind === 'done' ? words.done : result.why;
                  },
                },
              ]}
            />
          </>
        )}
        <div class="actions">
          {state === 'asking' && open.length > 0 && (
            <button class={action === 'cancel' ? 'button danger' : 'button'} type="submit">
              {titles[action]}
            </button>
          )}
          {state === 'running' && (
            <button class="button quiet" type="button" onClick={stop}>
              {words.stop}
            </button>
          )}
          {(state === 'ended' || state === 'stopped') && left.length > 0 && (
            <button class="button" type="submit">
              {words.again}
            </button>
          )}
          {state !== 'running' && (
            <button class="button quiet" type="button" onClick={() => close(state !== 'asking')}>
              {state === 'asking' && open.length > 0 ? t.form.cancel : t.form.close}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
};
