import type { EventOf } from '../event-store/event.js';

/** Stored names and latest shapes of the operator's stream (`operator-log`): the storage contract. */

/** A reactor's first start: it acts only on what stands after this event. */
export type ReactorInstalled = EventOf<'reactor.installed', { readonly reactor: string }>;

export type OperatorEvent = ReactorInstalled;
