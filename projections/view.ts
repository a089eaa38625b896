import type { Stored } from '../src/core/event.js';
import type { DomainEvent } from '../src/domain/event-registry.js';
import type { Key, View, ViewDocument } from '../src/engine/view.js';
import type { Indexes } from '../src/stores/read-store.js';
import { FINGERPRINTS } from './fingerprints.js';

type EventType = DomainEvent['type'];
type Of<Type extends EventType> = Extract<DomainEvent, { readonly type: Type }>;

/**
 * The document after an event. It must not change the document, which is frozen. If it throws, the document is parked.
 */
type Fold<D, Type extends EventType> = (document: D, event: Stored<Of<Type>>) => D;

/** The fields of a document whose values can be keys of an index. */
type Listed<D> = { [Name in keyof D]: D[Name] extends Key ? Name : never }[keyof D] & string;

/** A view as its file declares it: `View` with a fold for each type of event instead of one for all. */
interface Declaration<D extends ViewDocument, Type extends EventType, Made extends string> extends Omit<
  View<D, Of<Type>>,
  'fingerprint' | 'handles' | 'evolve' | 'keys' | 'indexes'
> {
  /** What documents are listed by beside their own fields. By default nothing. */
  readonly keys?: Readonly<Record<Made, (document: D, id: string) => Key>>;
  /**
   * By name: the fields and keys that an index sorts by, in their order. Without any, documents are read by id alone.
   */
  readonly indexes?: Readonly<Record<string, readonly (NoInfer<Made> | Listed<D>)[]>>;
  /** Called for every event that `on` has a fold for, before that fold. By default nothing is. */
  readonly every?: Fold<D, NoInfer<Type>>;
  readonly on: { readonly [T in Type]: Fold<D, T> };
}

/** Makes a view with documents of type `D`. It handles the types of event that `on` has a fold for. */
export const defineView =
  <D extends ViewDocument>() =>
  <Type extends EventType, Made extends string = never>(
    declaration: Declaration<D, Type, Made>,
  ): View<D, Of<Type>> => {
    const { every, on, keys, ...view } = declaration;
    const folds = on as unknown as Readonly<Record<string, (document: D, event: Stored) => D>>;
    return {
      ...view,
      keys: { ...fieldsIn(view.indexes), ...keys },
      fingerprint: fingerprintOf(view),
      handles: Object.keys(on) as Of<Type>['type'][],
      evolve(document, event) {
        const fold = folds[event.type];
        if (!fold) throw new TypeError(`The view ${view.name} does not handle ${event.type}.`);
        return fold(every ? every(document, event) : document, event);
      },
    };
  };

const fingerprintOf = ({ name, version }: Pick<View<ViewDocument>, 'name' | 'version'>): string => {
  const known = FINGERPRINTS[`${name} ${version}`];
  if (known === undefined) throw new Error(`The view ${name} has no fingerprint: run npm run build.`);
  return known;
};

/** A key for each field that indexes name. */
const fieldsIn = (indexes: Indexes = {}) =>
  Object.fromEntries(
    Object.values(indexes)
      .flat()
      .map((name) => [name, (document: ViewDocument) => Reflect.get(document, name) as Key]),
  );

/** One fold for several types of event. */
export const onEach = <D, Type extends EventType>(
  types: readonly Type[],
  fold: Fold<D, NoInfer<Type>>,
): { readonly [T in Type]: Fold<D, T> } =>
  Object.fromEntries(types.map((type) => [type, fold])) as unknown as { readonly [T in Type]: Fold<D, T> };
