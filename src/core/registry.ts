import type { ChainHead } from './chain.js';
import type { AnyEvent } from './event.js';
import type { Upcaster } from './upcaster.js';

/** What the codec knows of an event type. */
export interface EventDefinition {
  /** The latest schema version: what is written, and what every reader sees. */
  readonly version: number;
  /** From each former version to the one after it: `upcasters[1]` makes version 2 out of version 1. */
  readonly upcasters?: Readonly<Record<number, Upcaster>>;
  /**
   * Of an event whose chain link is signed: the head that its plain part names, `null` where it names none. It is asked
   * of stored parts too, as they stand, of whatever version.
   */
  readonly signedHead?: (data: object) => ChainHead | null;
}

/** Stored type names to their definitions. */
export type Registry = ReadonlyMap<string, EventDefinition>;

/** Definitions of all types of the union `E` and of no other: a missing or surplus name does not compile. */
export type EventDefinitions<E extends AnyEvent> = { readonly [Type in E['type']]: EventDefinition };

/** @throws {TypeError} a version without an upcaster to it, or an upcaster that leads nowhere */
export function defineEvents(definitions: EventDefinitions<AnyEvent>): Registry {
  const registry = new Map<string, EventDefinition>(Object.entries(definitions));
  for (const [type, definition] of registry) assertComplete(type, definition);
  return registry;
}

function assertComplete(type: string, { version, upcasters = {} }: EventDefinition): void {
  if (!Number.isSafeInteger(version) || version < 1)
    throw new TypeError(`The schema version of ${type} must be a whole number from 1.`);
  const needed = Array.from({ length: version - 1 }, (_, index) => String(index + 1));
  const missing = needed.filter((from) => !(from in upcasters));
  if (missing.length > 0)
    throw new TypeError(`${type} has version ${version} but no upcaster from version ${missing.join(', ')}.`);
  const surplus = Object.keys(upcasters).filter((from) => !needed.includes(from));
  if (surplus.length > 0)
    throw new TypeError(`${type} has version ${version} but an upcaster from version ${surplus.join(', ')}.`);
}
