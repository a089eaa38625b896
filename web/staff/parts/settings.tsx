import type { ComponentChildren } from 'preact';
import type { Permission } from '../../../packages/client/src/index.js';
import type { ConsoleTexts } from '../../../src/languages/en/console.js';
import { usePlace } from '../console.js';
import { Page } from './layout.js';

type Name = keyof ConsoleTexts['settings']['pages'];

/** The pages of the settings, in the order of their tabs. */
const PAGES: readonly (readonly [name: Name, path: string, permission: Permission])[] = [
  ['organisation', 'settings', 'organisation.read'],
  ['members', 'settings/members', 'members.read'],
  ['keys', 'settings/keys', 'keys.manage'],
  ['webhooks', 'settings/webhooks', 'webhooks.manage'],
  ['audit', 'settings/audit', 'audit.read'],
  ['erasure', 'settings/erasure', 'candidates.erase'],
];

/** A page of the settings, with the way to the others that the reader may open. */
export const Settings = ({
  name,
  actions,
  children,
}: {
  readonly name: Name;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) => {
  const { t, to, may } = usePlace();
  return (
    <Page title={t.settings.pages[name]} actions={actions}>
      <nav class="tabs" aria-label={t.settings.title}>
        {PAGES.filter(([, , permission]) => may(permission)).map(([one, path]) => (
          <a key={one} href={to(path)} aria-current={one === name ? 'page' : undefined}>
            {t.settings.pages[one]}
          </a>
        ))}
      </nav>
      {children}
    </Page>
  );
};
