/** A route of the server. Its pattern is such as `/organisations/:orgId/roles`, or `/console/*` for all paths below. */
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

/** Which methods a path has, for 405 and `Allow`. */
export class RouteTable {
  private readonly methodsByPattern = new Map<
    string,
    { segments: readonly string[]; methods: Set<string> }
  >();

  /** Adds a route. Called for each that Fastify registers. */
  add({ method, pattern }: Route): void {
    const known = this.methodsByPattern.get(pattern);
    if (known) known.methods.add(method);
    else this.methodsByPattern.set(pattern, { segments: pattern.split('/'), methods: new Set([method]) });
  }

  /** All routes, in the order of registration. */
  routes(): readonly Route[] {
    return [...this.methodsByPattern].flatMap(([pattern, { methods }]) =>
      [...methods].map((method) => ({ method, pattern })),
    );
  }

  /** The methods of a path, in alphabetical order; empty: the path is unknown. @param url as it was sent */
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
