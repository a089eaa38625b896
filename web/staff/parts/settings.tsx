import type { ComponentChildren } from 'preact';
import { type PageRoute, usePlace } from '../console.js';
import { Page } from './layout.js';

/** A page of the settings, with links to the others that the reader may open. */
export const Settings = ({
  name,
  actions,
  children,
}: {
  readonly name: NonNullable<PageRoute['tab']>;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) => {
  const { t, to, pages } = usePlace();
  return (
    <Page title={t.settings.pages[name]} actions={actions}>
      <nav class="tabs" aria-label={t.settings.title}>
        {pages.map(
          ({ path, tab }) =>
            tab && (
              <a key={tab} href={to(path)} aria-current={tab === name ? 'page' : undefined}>
                {t.settings.pages[tab]}
              </a>
            ),
        )}
      </nav>
      {children}
    </Page>
  );
};
