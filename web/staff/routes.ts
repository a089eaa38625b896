import type { PageRoute } from './console.js';
import { lazyPage } from './parts/load.js';

/**
 * Every page. A further one is a file in `pages/`, its texts in `src/languages`, and a line here. The navigation and the
 * tabs of the settings have this order.
 */
export const ROUTES: readonly PageRoute[] = [
  { path: '', nav: 'home', component: lazyPage(() => import('./pages/home.js')) },
  {
    path: 'roles',
    nav: 'roles',
    permission: 'roles.read',
    component: lazyPage(() => import('./pages/roles.js')),
  },
  { path: 'roles/:roleId', permission: 'roles.read', component: lazyPage(() => import('./pages/role.js')) },
  {
    path: 'roles/:roleId/edit',
    permission: 'roles.write',
    component: lazyPage(() => import('./pages/role-edit.js')),
  },
  {
    path: 'roles/:roleId/versions',
    permission: 'roles.read',
    component: lazyPage(() => import('./pages/role-versions.js')),
  },
  {
    path: 'tickets',
    nav: 'tickets',
    permission: 'roles.read',
    component: lazyPage(() => import('./pages/tickets.js')),
  },
  {
    path: 'tickets/:ticketId',
    permission: 'roles.read',
    component: lazyPage(() => import('./pages/ticket.js')),
  },
  {
    path: 'tickets/:ticketId/edit',
    permission: 'roles.write',
    component: lazyPage(() => import('./pages/ticket-edit.js')),
  },
  {
    path: 'candidates',
    nav: 'candidates',
    permission: 'applications.read',
    component: lazyPage(() => import('./pages/candidates.js')),
  },
  {
    path: 'candidates/import',
    permission: 'candidates.invite',
    component: lazyPage(() => import('./pages/import.js')),
  },
  {
    path: 'candidates/imports/:importId',
    permission: 'applications.read',
    component: lazyPage(() => import('./pages/import-progress.js')),
  },
  {
    path: 'candidates/:applicationId',
    permission: 'applications.read',
    component: lazyPage(() => import('./pages/application.js')),
  },
  {
    path: 'evaluations',
    nav: 'evaluations',
    permission: 'evaluations.read',
    component: lazyPage(() => import('./pages/evaluations.js')),
  },
  {
    path: 'evaluations/compare',
    permission: 'evaluations.read',
    component: lazyPage(() => import('./pages/compare.js')),
  },
  {
    path: 'evaluations/:evaluationId',
    permission: 'evaluations.read',
    component: lazyPage(() => import('./pages/evaluation.js')),
  },
  {
    path: 'signal',
    nav: 'signal',
    permission: 'signal.read',
    component: lazyPage(() => import('./pages/signal.js')),
  },
  {
    path: 'settings',
    nav: 'settings',
    tab: 'organisation',
    permission: 'organisation.read',
    component: lazyPage(() => import('./pages/settings-organisation.js')),
  },
  {
    path: 'settings/members',
    tab: 'members',
    permission: 'members.read',
    component: lazyPage(() => import('./pages/settings-members.js')),
  },
  {
    path: 'settings/keys',
    tab: 'keys',
    permission: 'keys.manage',
    component: lazyPage(() => import('./pages/settings-keys.js')),
  },
  {
    path: 'settings/webhooks',
    tab: 'webhooks',
    permission: 'webhooks.manage',
    component: lazyPage(() => import('./pages/settings-webhooks.js')),
  },
  {
    path: 'settings/webhooks/:webhookId',
    permission: 'webhooks.manage',
    component: lazyPage(() => import('./pages/settings-webhook.js')),
  },
  {
    path: 'settings/audit',
    tab: 'audit',
    permission: 'audit.read',
    component: lazyPage(() => import('./pages/settings-audit.js')),
  },
  {
    path: 'settings/erasure',
    tab: 'erasure',
    permission: 'candidates.erase',
    component: lazyPage(() => import('./pages/settings-erasure.js')),
  },
];
