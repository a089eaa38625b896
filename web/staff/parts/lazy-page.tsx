import type { FunctionComponent } from 'preact';
import lazy from 'preact-iso/lazy';
import { useState } from 'preact/hooks';
import { usePlace } from '../console.js';
import { Page } from './layout.js';

type Load = () => Promise<{ readonly default: FunctionComponent }>;

/** A page whose script is loaded when it is opened. If the script does not come, the page says so and how to go on. */
export const lazyPage = (load: Load): FunctionComponent =>
  lazy(() => load().catch(() => ({ default: () => <NotLoaded load={load} /> })));

/** The connection is lost, or a new build of the service has scripts of other names. */
const NotLoaded = ({ load }: { readonly load: Load }) => {
  const { t, console } = usePlace();
  const [loaded, setLoaded] = useState<{ readonly page: FunctionComponent } | null>(null);
  if (loaded) return <loaded.page />;
  const loadAgain = async (): Promise<void> => {
    try {
      const { default: page } = await load();
      setLoaded({ page });
    } catch {
      // The document of a new build names its scripts. Without a connection there would be no document.
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
