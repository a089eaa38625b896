import { useEffect, useRef, useState } from 'preact/hooks';
import { download } from '../../shared/download.js';
import { usePlace } from '../console.js';
import { Dialog } from './dialog.js';
import { Failure, Wait } from './load.js';

/** The service sends a file as it reads it: a long list takes a while. */
const EXPORT_MS = 600_000;

/** A shorter export shows no dialog. */
const SLOW_MS = 400;

/** Saves a list, or some of its rows, as a file for spreadsheets. A dialog shows the wait, and can be cancelled. */
export const Export = ({
  name,
  label,
  small = false,
  read,
}: {
  /** The name of the file, without its ending. */
  readonly name: string;
  /** The text of the button, unless it exports all that the list has. */
  readonly label?: string;
  readonly small?: boolean;
  readonly read: (call: { readonly signal: AbortSignal; readonly timeoutMs: number }) => Promise<Uint8Array>;
}) => {
  const { t, may } = usePlace();
  const [state, setState] = useState<'closed' | 'reading' | 'slow' | { readonly error: unknown }>('closed');
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  if (!may('data.export')) return null;
  const title = label ?? t.table.export;
  const close = (): void => {
    leaving.current?.abort();
    setState('closed');
  };
  const begin = (): void => {
    if (state === 'reading') return;
    const asked = new AbortController();
    leaving.current = asked;
    setState('reading');
    setTimeout(() => setState((now) => (now === 'reading' ? 'slow' : now)), SLOW_MS);
    read({ signal: asked.signal, timeoutMs: EXPORT_MS }).then(
      (bytes) => {
        if (asked.signal.aborted) return;
        download(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'text/csv' }), `${name}.csv`);
        setState('closed');
      },
      (error: unknown) => {
        if (!asked.signal.aborted) setState({ error });
      },
    );
  };
  return (
    <>
      <button
        class={small ? 'button quiet small' : 'button quiet'}
        type="button"
        aria-disabled={state === 'reading'}
        onClick={begin}
      >
        {title}
      </button>
      {state !== 'closed' && state !== 'reading' && (
        <Dialog title={title} close={close}>
          {state === 'slow' ? <Wait what={t.table.file} /> : <Failure error={state.error} retry={begin} />}
          <div class="actions">
            <button class="button quiet" type="button" onClick={close}>
              {t.form.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
};
