import { type ComponentChildren, Fragment, type FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import lazy from 'preact-iso/lazy';
import { isAssayError } from '../../../packages/client/src/index.js';
import { SCRIPT_MS, within } from '../../shared/request.js';
import { usePlace } from '../console.js';
import { Page } from './layout.js';
import { type ConflictTexts, sentenceOf } from './sentences.js';

/** When a wait is shown, and when the page also shows what to do. */
const SHOWN_AFTER_MS = 400;
const LONG_AFTER_MS = 10_000;

/** What a page reads: the data, or why they are missing. */
export interface Loading<T> {
  /**
   * The answer to the last read that succeeded; it stays while it is read again. `undefined`: none has yet, or the read of
   * something else has failed since.
   */
  readonly data: T | undefined;
  /** Why the last read failed; `undefined`: it did not. */
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** Shows the answer of a command, without a read. A read that is under way may lack the command, so it is dropped. */
  readonly set: (data: T) => void;
}

/**
 * Reads what a page shows, again whenever `on` changes. An answer to an earlier read is dropped.
 * @param on what the read depends on, such as the ids of the address
 */
export const useLoading = <T,>(
  read: (signal: AbortSignal) => Promise<T>,
  on: readonly unknown[],
): Loading<T> => {
  const [turn, again] = useState(0);
  const [state, setState] = useState<Omit<Loading<T>, 'reload' | 'set'>>({
    data: undefined,
    error: undefined,
    isLoading: true,
  });
  const reading = useRef<AbortController | null>(null);
  /** What the data depend on. */
  const shown = useRef<readonly unknown[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    reading.current = leaving;
    setState(({ data }) => ({ data, error: undefined, isLoading: true }));
    read(leaving.signal).then(
      (data) => {
        if (leaving.signal.aborted) return;
        shown.current = on;
        setState({ data, error: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        // What was read for another address must not be shown, and chosen from, at this one.
        const isOfThis = on.every((one, at) => one === shown.current[at]);
        setState(({ data }) => ({ data: isOfThis ? data : undefined, error, isLoading: false }));
      },
    );
    return () => leaving.abort();
  }, [...on, turn]);
  return {
    ...state,
    reload: () => again((count) => count + 1),
    set: (data) => {
      reading.current?.abort();
      setState({ data, error: undefined, isLoading: false });
    },
  };
};

/** Shows the data once they are read; until then what is awaited, or the failure. */
export const Loaded = <T,>({
  of,
  what,
  children,
}: {
  readonly of: Loading<T>;
  /** What is awaited, as the sentence "Loading {what} …" names it. */
  readonly what: string;
  readonly children: (data: T) => ComponentChildren;
}) => {
  const { data, error, isLoading, reload } = of;
  return (
    <>
      {error !== undefined && <Failure error={error} retry={reload} />}
      {isLoading && <Wait what={what} key={data === undefined ? 'first' : 'again'} />}
      {data !== undefined && <Fragment>{children(data)}</Fragment>}
    </>
  );
};

/** Shows after a moment what is awaited, and after a long wait what to do. */
export const Wait = ({ what }: { readonly what: string }) => {
  const { t } = usePlace();
  const [waited, setWaited] = useState<'moment' | 'named' | 'long'>('moment');
  useEffect(() => {
    const named = setTimeout(() => setWaited('named'), SHOWN_AFTER_MS);
    const long = setTimeout(() => setWaited('long'), LONG_AFTER_MS);
    return () => {
      clearTimeout(named);
      clearTimeout(long);
    };
  }, []);
  return (
    <p class="wait soft" role="status">
      {waited === 'moment' ? '' : t.wait.loading(what)}
      {waited === 'long' && ` ${t.wait.long}`}
    </p>
  );
};

/** Why something failed, with a button to retry or to sign in again. After a new sign-in it retries and disappears. */
export const Failure = ({
  error,
  retry,
  conflict,
}: {
  readonly error: unknown;
  readonly retry?: () => void;
  readonly conflict?: ConflictTexts | undefined;
}) => {
  const { t, console } = usePlace();
  const box = useRef<HTMLDivElement>(null);
  const isOver = isAssayError(error) && error.status === 401;
  const hasEnded = isOver && (console.session.value?.ended.value ?? null) !== null;
  const hadEnded = useRef(false);
  hadEnded.current ||= hasEnded;
  const isRenewed = hadEnded.current && !hasEnded;
  useEffect(() => {
    if (isRenewed) retry?.();
  }, [isRenewed]);
  if (isRenewed) return null;
  return (
    <div class="note bad failure" role="alert" ref={box}>
      <p>{sentenceOf(error, t.failure, conflict)}</p>
      {isOver ? (
        <button class="button small" type="button" onClick={() => void console.signInAgain()}>
          {t.failure.signInAgain}
        </button>
      ) : (
        retry && (
          <button class="button quiet small" type="button" onClick={retry}>
            {t.failure.retry}
          </button>
        )
      )}
    </div>
  );
};

/** Longest wait for a script that the user has requested again, before the whole page is reloaded. */
const LOAD_AGAIN_MS = 3_000;

type Load = () => Promise<{ readonly default: FunctionComponent }>;

/** Pauses before a script is requested again, in milliseconds: the process that should send it may have just ended. */
const SCRIPT_PAUSES_MS = [300, 1_500];

/** Loads a script, and tries again after each pause. */
const loadPatiently = (
  load: Load,
  [pause, ...others]: readonly number[] = SCRIPT_PAUSES_MS,
): ReturnType<Load> =>
  load().catch(async (error: unknown) => {
    if (pause === undefined) throw error;
    await new Promise((done) => setTimeout(done, pause));
    return loadPatiently(load, others);
  });

/** A page whose script is loaded when it is opened. If that fails, the page shows so, and what to do. */
export const lazyPage = (load: Load): FunctionComponent =>
  lazy(() =>
    within(SCRIPT_MS, loadPatiently(load)).catch(() => ({ default: () => <NotLoaded load={load} /> })),
  );

/** Shown if a script cannot be loaded: there is no connection, or a new build has scripts of other names. */
const NotLoaded = ({ load }: { readonly load: Load }) => {
  const { t, console } = usePlace();
  const [loaded, setLoaded] = useState<{ readonly page: FunctionComponent } | null>(null);
  if (loaded) return <loaded.page />;
  const loadAgain = async (): Promise<void> => {
    try {
      const { default: page } = await within(LOAD_AGAIN_MS, load());
      setLoaded({ page });
    } catch {
      // A reload gets the script names of a new build. Without a connection it would lose the page.
      if (console.online.value) location.reload();
    }
  };
  return (
    <Page title={t.notLoaded.title}>
      <p>{t.notLoaded.text}</p>
      <p>
        <button class="button" type="button" onClick={() => void loadAgain()}>
          {t.notLoaded.again}
        </button>
      </p>
    </Page>
  );
};
