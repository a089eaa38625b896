import { useState } from 'preact/hooks';
import { usePlace } from '../console.js';
import { useCommand } from '../parts/form.js';
import { Failure } from '../parts/load.js';
import type { candidateCall } from '../pages/candidate-query.js';
import { type BulkAction, BulkDialog } from './dialog.js';
import type { Row, Selection } from './selection.js';

/** What can be done with the chosen applications. */
export const BulkBar = ({
  selected,
  select,
  matching,
  changed,
}: {
  readonly selected: Selection;
  readonly select: (selected: Selection) => void;
  /** What the list is narrowed by. */
  readonly matching: ReturnType<typeof candidateCall>;
  readonly changed: () => void;
}) => {
  const { client, t } = usePlace();
  const words = t.candidates.bulk;
  const [action, setAction] = useState<BulkAction | null>(null);
  const reading = useCommand();
  const selectAll = (): Promise<boolean> =>
    reading.run(async () => {
      const all = new Map<string, Row>();
      const list = client.list('/organisations/{orgId}/applications', {
        ...matching,
        params: { ...matching.params, limit: 200 },
      });
      for await (const one of list) all.set(one.id, one);
      select(all);
    });
  const actions: readonly (readonly [BulkAction, string])[] = [
    ['extend', t.candidates.extend],
    ['remind', words.remind],
    ['cancel', t.candidates.cancel],
  ];
  return (
    <>
      <section class="bulk" aria-label={words.selected(selected.size)}>
        <strong role="status">{words.selected(selected.size)}</strong>
        {actions.map(([name, label]) => (
          <button key={name} class="button quiet small" type="button" onClick={() => setAction(name)}>
            {label}
          </button>
        ))}
        <button class="link" type="button" aria-disabled={reading.isRunning} onClick={() => void selectAll()}>
          {reading.isRunning ? t.wait.loading(words.whatAll) : words.all}
        </button>
        <button class="link" type="button" onClick={() => select(new Map())}>
          {words.clear}
        </button>
      </section>
      {reading.error !== undefined && <Failure error={reading.error} />}
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
