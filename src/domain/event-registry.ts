import { defineEvents, type EventIn, type Registry } from '../core/registry.js';
import { apiKeyEvents } from './api-key/events.js';
import { applicationEvents, feedbackEvents } from './application/events.js';
import { candidateEvents } from './candidate/events.js';
import { importEvents } from './candidate-import/events.js';
import { dataExportEvents } from './data-export/events.js';
import { attemptEvents } from './evaluation/attempt-events.js';
import { evaluationEvents } from './evaluation/events.js';
import { mailEvents } from './mail/events.js';
import { operatorEvents } from './operations/events.js';
import { organisationEvents } from './organisation/events.js';
import { roleEvents } from './role/events.js';
import { savedViewEvents } from './saved-view/events.js';
import { trialEvents } from './session/events.js';
import { shareLinkEvents } from './share-link/events.js';
import { fileSetEvents, ticketEvents } from './ticket/events.js';
import { deliveryEvents, webhookEvents } from './webhook/events.js';

/**
 * Every stored event type with its schema version. A type whose shape changes gets the next version, an upcaster
 * (`core/registry.ts`) and a golden file (`test/golden/`); the former golden files stay.
 */
const events = {
  ...apiKeyEvents,
  ...applicationEvents,
  ...attemptEvents,
  ...candidateEvents,
  ...importEvents,
  ...dataExportEvents,
  ...deliveryEvents,
  ...evaluationEvents,
  ...feedbackEvents,
  ...fileSetEvents,
  ...mailEvents,
  ...operatorEvents,
  ...organisationEvents,
  ...roleEvents,
  ...savedViewEvents,
  ...shareLinkEvents,
  ...ticketEvents,
  ...trialEvents,
  ...webhookEvents,
};

/** Every event that this service writes. */
export type DomainEvent = EventIn<typeof events>;

/** The registry by which the codec decodes stored events. */
export const eventRegistry: Registry = defineEvents(events);
