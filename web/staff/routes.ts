import type { FunctionComponent } from 'preact';
import lazy from 'preact-iso/lazy';
import type { Permission } from '../../packages/client/src/index.js';
import type { ConsoleTexts } from '../../src/languages/en/console.js';

/** A page of the console, loaded when it is opened. */
export interface PageRoute {
  /** Below the organisation's address; parameters as `:roleId`. */
  readonly path: string;
  readonly component: FunctionComponent;
  /** Its name in the navigation; pages without one are reached from others. */
  readonly nav?: keyof ConsoleTexts['nav'];
  /** Who may open it, if not every member. */
  readonly permission?: Permission;
}

/** Every page. A further one is a file in `pages/`, its texts in `src/languages`, and a line here. */
export const ROUTES: readonly PageRoute[] = [
  { path: '', nav: 'home', component: lazy(() => import('./pages/home.js')) },
  {
    path: 'roles',
    nav: 'roles',
    permission: 'roles.read',
    component: lazy(() => import('./pages/roles.js')),
  },
  { path: 'roles/:roleId', permission: 'roles.read', component: lazy(() => import('./pages/role.js')) },
  {
    path: 'roles/:roleId/edit',
    permission: 'roles.write',
    component: lazy(() => import('./pages/role-edit.js')),
  },
  {
    path: 'roles/:roleId/versions',
    permission: 'roles.read',
    component: lazy(() => import('./pages/role-versions.js')),
  },
  {
    path: 'candidates',
    nav: 'candidates',
    permission: 'applications.read',
    component: lazy(() => import('./pages/candidates.js')),
  },
  {
    path: 'candidates/import',
    permission: 'candidates.invite',
    component: lazy(() => import('./pages/import.js')),
  },
  {
    path: 'candidates/imports/:importId',
    permission: 'applications.read',
    component: lazy(() => import('./pages/import-progress.js')),
  },
  {
    path: 'candidates/:applicationId',
    permission: 'applications.read',
    component: lazy(() => import('./pages/application.js')),
  },
  {
    path: 'evaluations',
    nav: 'evaluations',
    permission: 'evaluations.read',
    component: lazy(() => import('./pages/evaluations.js')),
  },
  {
    path: 'evaluations/compare',
    permission: 'evaluations.read',
    component: lazy(() => import('./pages/compare.js')),
  },
  {
    path: 'evaluations/:evaluationId',
    permission: 'evaluations.read',
    component: lazy(() => import('./pages/evaluation.js')),
  },
  {
    path: 'signal',
    nav: 'signal',
    permission: 'signal.read',
    component: lazy(() => import('./pages/signal.js')),
  },
  {
    path: 'settings',
    nav: 'settings',
    permission: 'organisation.read',
    component: lazy(() => import('./pages/settings-organisation.js')),
  },
  {
    path: 'settings/members',
    permission: 'members.read',
    component: lazy(() => import('./pages/settings-members.js')),
  },
  {
    path: 'settings/keys',
    permission: 'keys.manage',
    component: lazy(() => import('./pages/settings-keys.js')),
  },
  {
    path: 'settings/webhooks',
    permission: 'webhooks.manage',
    component: lazy(() => import('./pages/settings-webhooks.js')),
  },
  {
    path: 'settings/webhooks/:webhookId',
    permission: 'webhooks.manage',
    component: lazy(() => import('./pages/settings-webhook.js')),
  },
  {
    path: 'settings/erasure',
    permission: 'candidates.erase',
    component: lazy(() => import('./pages/settings-erasure.js')),
  },
  {
    path: 'settings/audit',
    permission: 'audit.read',
    component: lazy(() => import('./pages/settings-audit.js')),
  },
];
