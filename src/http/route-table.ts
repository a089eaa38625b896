/** One route as the server knows it: a pattern such as `/organisations/:orgId/roles`, or `/console/*` for all below. */
export interface Route {
  readonly method: string;
  readonly pattern: string;
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Which methods a path has: what 405 and `Allow` are made of. */
export class RouteTable {
  private readonly methodsByPattern = new Map<
    string,
    { segments: readonly string[]; methods: Set<string> }
  >();

  /** Called for each route as Fastify registers it. */
  add({ method, pattern }: Route): void {
    const known = this.methodsByPattern.get(pattern);
    if (known) known.methods.add(method);
    else this.methodsByPattern.set(pattern, { segments: pattern.split('/'), methods: new Set([method]) });
  }

  /** Every route, in the order of registration. */
  routes(): readonly Route[] {
    return [...this.methodsByPattern].flatMap(([pattern, { methods }]) =>
      [...methods].map((method) => ({ method, pattern })),
    );
  }

  /** The methods of a path as it was sent, in alphabetical order; empty for an unknown one. */
  methodsOf(url: string): readonly string[] {
    const [path = ''] = url.split(/[?#]/, 1);
    const given = path.split('/').map(decoded);
    const methods = new Set<string>();
    for (const route of this.methodsByPattern.values()) {
      if (matches(route.segments, given)) for (const method of route.methods) methods.add(method);
    }
    return [...methods].sort();
  }
}

const matches = (pattern: readonly string[], given: readonly string[]): boolean =>
  (pattern.at(-1) === '*' ? pattern.length <= given.length : pattern.length === given.length) &&
  pattern.every(
    (segment, index) =>
      segment === '*' || (segment.startsWith(':') ? given[index] !== '' : segment === given[index]),
  );
