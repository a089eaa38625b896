import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePlace } from '../console.js';

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
      <div class="scroll" role="region" aria-label={t.conflict.title} tabIndex={0}>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">{t.conflict.field}</th>
              <th scope="col">{t.conflict.mine}</th>
              <th scope="col">{t.conflict.theirs}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ name, mine, theirs }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="pre">{mine ?? <span class="soft">{t.conflict.notChanged}</span>}</td>
                <td class="pre">{theirs}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
