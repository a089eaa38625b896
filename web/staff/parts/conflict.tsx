import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePlace } from '../console.js';
import { Table } from './table.js';

/** What two people saved of a field. */
export interface Differing {
  readonly name: string;
  /** `null`: it was not changed here, and the saved value stays. */
  readonly mine: string | null;
  readonly theirs: string;
}

/** Shown if another person saved meanwhile: both versions side by side. Nothing that was typed is lost. */
export const Conflict = ({
  version,
  differences,
  keepMine,
  takeTheirs,
}: {
  /** The version that is saved now. */
  readonly version: number;
  readonly differences: readonly Differing[];
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
}) => {
  const { t } = usePlace();
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that saves is always in view, the choice at the top of a long form is not.
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="note conflict" role="alert">
      <h2 tabIndex={-1} ref={heading}>
        {t.conflict.title}
      </h2>
      <p>{t.conflict.text(version)}</p>
      <Table<Differing>
        caption={t.conflict.title}
        rows={differences}
        rowKey={({ name }) => name}
        columns={[
          { key: 'field', head: t.conflict.field, cell: ({ name }) => name },
          {
            key: 'mine',
            head: t.conflict.mine,
            cell: ({ mine }) =>
              mine === null ? (
                <span class="soft">{t.conflict.notChanged}</span>
              ) : (
                <span class="pre">{mine}</span>
              ),
          },
          {
            key: 'theirs',
            head: t.conflict.theirs,
            cell: ({ theirs }) => <span class="pre">{theirs}</span>,
          },
        ]}
      />
      <div class="actions">
        <button class="button small" type="button" onClick={keepMine}>
          {t.conflict.keepMine}
        </button>
        <button class="button quiet small" type="button" onClick={takeTheirs}>
          {t.conflict.takeTheirs}
        </button>
      </div>
    </section>
  );
};
