import type { ChainHead } from './chain.js';
import type { EventOf } from './event.js';
import type { PersonId } from './vault/port.js';

/** How the codec reads and writes an event type. */
export interface EventDefinition {
  /** The latest schema version: what is written, and what every reader sees. */
  readonly version: number;
  /**
   * From each former version to the one after it: `upcasters[1]` makes version 2 out of version 1. Left out at
   * version 1.
   */
  readonly upcasters?: Readonly<Record<number, Upcaster>>;
  /**
   * Only on events whose chain link is signed: returns the head of the chain that the plain part names, `null` if it
   * names none. The part may be of any version.
   */
  readonly signedHead?: (data: object) => ChainHead | null;
  /**
   * Each event of the type is a batch: stored once, for many items of the same kind, each of which has an id and a chain
   * link of its own (the layout is in `batch.ts`). It is never signed.
   */
  readonly batch?: true;
}

/** A definition that carries the types of the event's two parts, for the compiler alone: `parts` is never set. */
export interface EventShape<Data extends object, Personal extends object | null> extends EventDefinition {
  readonly parts?: readonly [Data, Personal];
}

/**
 * Declares a stored event type. The events of an aggregate are an object of declarations by their stored names.
 * @typeParam Data the plain part
 * @typeParam Personal the part that is sealed under a person's key
 */
export const eventType = <Data extends object, Personal extends object | null = null>(
  definition: EventDefinition = { version: 1 },
): EventShape<Data, Personal> => definition;

/** Declarations by their stored names. */
export type EventDefinitions = Readonly<Record<string, EventDefinition>>;

/** The events that an object of declarations has, or those of them with the names `Type`. */
export type EventIn<Declared, Type extends keyof Declared = keyof Declared> = {
  [T in Type & string]: Declared[T] extends EventShape<infer Data, infer Personal>
    ? EventOf<T, Data, Personal>
    : never;
}[Type & string];

/**
 * Makes events of the declared types. Those that are about no person have neither `person` nor `personal`.
 * Called once for each aggregate, with its declarations as the type argument; the function that it returns makes one event.
 */
export const eventsOf =
  <Declared extends EventDefinitions>() =>
  <Type extends keyof Declared & string>(
    type: Type,
    data: EventIn<Declared, Type>['data'],
    person: PersonId | null = null,
    personal: EventIn<Declared, Type>['personal'] = null,
  ): EventIn<Declared, Type> =>
    ({ type, data, person, personal }) as unknown as EventIn<Declared, Type>;

/** All event types that a program writes and reads, by their stored names. */
export type Registry = ReadonlyMap<string, EventDefinition>;

/**
 * The registry of these declarations.
 * @throws {TypeError} a version without an upcaster to it, or an upcaster to a version that does not exist
 */
export function defineEvents(definitions: EventDefinitions): Registry {
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

/** An event's two parts in the shape of some version. */
export interface Shape {
  /** The plain part. */
  readonly data: object;
  /** `null` if there is none or if the person was erased: an upcaster must handle both. */
  readonly personal: object | null;
}

/**
 * Makes the shape of one version out of that of the version before. An upcaster is pure and never changes: an old event
 * must read the same for ever.
 */
export type Upcaster = (shape: Shape) => Shape;

/** An upcaster of the plain part alone. @param change takes the plain part in the shape of the version before */
export const upcastData =
  (change: (data: never) => object): Upcaster =>
  ({ data, personal }) => ({ data: change(data as never), personal });

/**
 * Upcasters of a record that events of several types hold, such as a role's definition: the first function makes
 * version 2 out of version 1, the next one version 3. Each of these types has as many versions as the record.
 */
export type RecordUpcasters = readonly ((former: never) => object)[];

/**
 * The definition of an event type that holds such a record.
 * @param change returns the plain part with its record converted to the next version by `next`
 */
export const upcastRecord = (
  upcasters: RecordUpcasters,
  change: (data: never, next: (former: object) => object) => object,
): EventDefinition => ({
  version: upcasters.length + 1,
  upcasters: Object.fromEntries(
    upcasters.map((next, index) => [
      index + 1,
      upcastData((data) => change(data, (former) => next(former as never))),
    ]),
  ),
});

/**
 * Converts a shape to the latest version, for each event that the codec reads. `defineEvents` has checked that no
 * upcaster is missing.
 * @param version of the stored event, at most the definition's
 * @returns the shape in the definition's version
 */
export function upcast(
  definition: Pick<EventDefinition, 'version' | 'upcasters'>,
  version: number,
  shape: Shape,
): Shape {
  let latest = shape;
  for (let from = version; from < definition.version; from++)
    latest = definition.upcasters?.[from]?.(latest) ?? latest;
  return latest;
}
