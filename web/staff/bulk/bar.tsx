import { type Dispatch, type StateUpdater, useEffect, useRef, useState } from 'preact/hooks';
import { usePlace } from '../console.js';
import type { candidateCall } from '../pages/candidate-query.js';
import { Export } from '../parts/export.js';
import { useCommand } from '../parts/form.js';
import { Failure } from '../parts/load.js';
import { type BulkAction, BulkDialog } from './dialog.js';
import { type Ending, exportOf, MAX_SELECTED, selectAll, type Selection, withRows } from './selection.js';

/** What can be done with the chosen applications. */
export const BulkBar = ({
  selected,
  select,
  matching,
  changed,
}: {
  readonly selected: Selection;
  readonly select: Dispatch<StateUpdater<Selection>>;
  /** What the list is narrowed by. */
  readonly matching: ReturnType<typeof candidateCall>;
  readonly changed: () => void;
}) => {
  const { client, t, orgId, may } = usePlace();
  const words = t.candidates.bulk;
  const [action, setAction] = useState<BulkAction | null>(null);
  const [ending, setEnding] = useState<Ending>('all');
  const reading = useCommand();
  const leaving = useRef<AbortController | null>(null);
  // Stops reading when the list changes or is left.
  useEffect(() => () => leaving.current?.abort(), [JSON.stringify(matching)]);
  const readAll = (): void => {
    const { signal } = (leaving.current = new AbortController());
    const read = (cursor: string | undefined) =>
      client.get('/organisations/{orgId}/applications', {
        ...matching,
        params: { ...matching.params, limit: 200, ...(cursor !== undefined && { cursor }) },
        signal,
      });
    void reading.run(async () =>
      setEnding(await selectAll(read, (rows) => select((now) => withRows(now, rows)), signal)),
    );
  };
  const actions: readonly (readonly [BulkAction, string])[] = [
    ['extend', t.candidates.extend],
    ['remind', t.candidates.remind],
    ['cancel', t.candidates.cancel],
  ];
  const endings = { all: null, limit: words.limit(MAX_SELECTED), stopped: words.notAll };
  const note = reading.error === undefined ? endings[ending] : words.notAll;
  return (
    <>
      <section class="bulk" aria-label={words.selected(selected.size)}>
        <strong role="status">
          {reading.isRunning ? words.selecting(selected.size) : words.selected(selected.size)}
        </strong>
        {!reading.isRunning &&
          may('candidates.invite') &&
          actions.map(([name, label]) => (
            <button key={name} class="button quiet small" type="button" onClick={() => setAction(name)}>
              {label}
            </button>
          ))}
        {!reading.isRunning && (
          <Export
            name="applications"
            label={words.export}
            small
            read={(call) =>
              exportOf([...selected.keys()], (applicationId) =>
                client.get('/organisations/{orgId}/exports/applications', {
                  params: { orgId, applicationId: [...applicationId] },
                  ...call,
                }),
              )
            }
          />
        )}
        {/* One button, so that the focus stays where it is. */}
        <button
          class="link"
          type="button"
          onClick={reading.isRunning ? () => leaving.current?.abort() : readAll}
        >
          {reading.isRunning ? words.stop : words.all}
        </button>
        {!reading.isRunning && (
          <button class="link" type="button" onClick={() => select(new Map())}>
            {words.clear}
          </button>
        )}
        {!reading.isRunning && note !== null && <p class="note">{note}</p>}
        {reading.error !== undefined && <Failure error={reading.error} retry={readAll} />}
      </section>
      {action !== null && (
        <BulkDialog
          action={action}
          rows={[...selected.values()]}
          close={(wasBegun) => {
            setAction(null);
            if (!wasBegun) return;
            select(new Map());
            changed();
          }}
        />
      )}
    </>
  );
};
