/** An event's two parts in some version's shape. */
export interface Shape {
  readonly data: object;
  /** `null` where there is none or where the person was erased: an upcaster copes with either. */
  readonly personal: object | null;
}

/**
 * Makes the shape of one version out of that of the version before. Pure, and a storage contract as much as the
 * stored shapes themselves: the same old event must read the same for ever.
 */
export type Upcaster = (shape: Shape) => Shape;

/** The way from each former version to the latest one. */
interface Ladder {
  readonly version: number;
  readonly upcasters?: Readonly<Record<number, Upcaster>>;
}

/** @returns the shape in the definition's latest version, which `version` does not exceed */
export function upcast(definition: Ladder, version: number, shape: Shape): Shape {
  let latest = shape;
  for (let from = version; from < definition.version; from++)
    latest = definition.upcasters?.[from]?.(latest) ?? latest;
  return latest;
}
