/** A seeded generator: the same seed plays the same round on every machine. Not for secrets. */
export class Random {
  private state: number;

  /** @param path numbers that identify one of several generators of a seed: what one draws does not change another */
  constructor(seed: number, ...path: readonly number[]) {
    this.state = path.reduce((state, part) => mix(state ^ part), mix(seed | 0));
  }

  /** From 0 inclusive to 1 exclusive. */
  next(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    return (mix(this.state) >>> 0) / 0x1_0000_0000;
  }

  /** A whole number, both ends included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws {RangeError} there is nothing to pick from */
  pick<T>(items: readonly T[]): T {
    return this.weighted(items.map((item) => [item, 1] as const));
  }

  /** One of the items, by their weights. */
  weighted<T>(items: readonly (readonly [item: T, weight: number])[]): T {
    let left = this.next() * items.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    throw new RangeError('There is nothing to pick from.');
  }
}

/** Spreads every bit of the input over all 32 of the output. */
function mix(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return bits ^ (bits >>> 15);
}
