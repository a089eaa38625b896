/** A metric of a registry: what a query may use of it. */
export interface KnownMetric {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
}

/** The metrics that a query reads, and the labels of its answer. */
export interface Query {
  readonly metrics: ReadonlySet<string>;
  /** `null`: the answer is a number, without series. */
  readonly labels: ReadonlySet<string> | null;
  /** Metrics that the query reads of any job, also of other services. */
  readonly ofAnyJob: ReadonlySet<string>;
}

type Labels = ReadonlySet<string> | null;

/** `on (…)`, and which side has many. */
interface Matching {
  readonly on: readonly string[] | null;
  readonly many: 'left' | 'right' | null;
}

const TOKEN =
  /\s+|("(?:[^"\\]|\\.)*")|(\[[^\]]+\])|(\d+(?:\.\d+)?(?:e\d+)?)|([A-Za-z_:][\w:]*)|(==|!=|>=|<=|=~|!~|[=<>+\-*/(){},])/gy;
const AGGREGATIONS = new Set(['sum', 'min', 'max', 'count', 'topk']);
/** The argument of each function: a counter's or a gauge's range, any range, or any series. */
const FUNCTIONS: Readonly<Record<string, 'counter' | 'gauge' | 'range' | 'any'>> = {
  rate: 'counter',
  increase: 'counter',
  deriv: 'gauge',
  delta: 'gauge',
  changes: 'range',
  histogram_quantile: 'any',
  vector: 'any',
  time: 'any',
};
/** From the lowest precedence to the highest. */
const OPERATORS = [['or'], ['and', 'unless'], ['==', '!=', '>', '<', '>=', '<='], ['+', '-'], ['*', '/']];
/** Labels that Prometheus adds to every series. */
const OF_TARGETS = ['job', 'instance'];

/**
 * Reads the part of PromQL that is used here.
 * @throws {Error} if it is no such query, names an unknown metric or label, or uses a gauge as a counter
 */
export function readQuery(text: string, known: ReadonlyMap<string, KnownMetric>): Query {
  const reader = new Reader(text, known);
  const labels = reader.expression();
  reader.end();
  return { metrics: reader.metrics, labels, ofAnyJob: reader.ofAnyJob };
}

class Reader {
  readonly metrics = new Set<string>();
  readonly ofAnyJob = new Set<string>();
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly known: ReadonlyMap<string, KnownMetric>,
  ) {
    const found = [...text.matchAll(TOKEN)];
    if (found.reduce((length, [token]) => length + token.length, 0) !== text.length)
      this.#fail('cannot be read');
    this.#tokens = found.map(([token]) => token.trim()).filter((token) => token !== '');
  }

  end(): void {
    if (this.#at < this.#tokens.length) this.#fail(`goes on with ${this.#peek()}`);
  }

  expression(level = 0): Labels {
    const operators = OPERATORS[level];
    if (operators === undefined) return this.#operand();
    let left = this.expression(level + 1);
    while (operators.includes(this.#peek())) {
      const operator = this.#take();
      const matching = this.#matching();
      left = this.#combined(operator, left, this.expression(level + 1), matching);
    }
    return left;
  }

  #matching(): Matching {
    const on = this.#eat('on') ? this.#names() : null;
    if (this.#eat('group_left')) return { on, many: 'left' };
    return { on, many: this.#eat('group_right') ? 'right' : null };
  }

  #combined(operator: string, left: Labels, right: Labels, { on, many }: Matching): Labels {
    if (left === null || right === null) return left ?? right;
    for (const label of on ?? []) this.#require(label, left, right);
    if (operator === 'or') return new Set([...left].filter((label) => right.has(label)));
    if (on === null && [...left].sort().join() !== [...right].sort().join())
      this.#fail(`compares {${[...left].join()}} with {${[...right].join()}}`);
    return many === 'right' ? right : left;
  }

  #operand(): Labels {
    const token = this.#take();
    if (token === '(') {
      const labels = this.expression();
      this.#expect(')');
      return labels;
    }
    if (/^\d/.test(token)) return null;
    if (AGGREGATIONS.has(token)) return this.#aggregation(token);
    if (this.#peek() === '(') return this.#call(token);
    return this.#selector(token);
  }

  #aggregation(name: string): Labels {
    const by = this.#eat('by') ? this.#names() : null;
    this.#expect('(');
    let labels = this.expression();
    if (this.#eat(',')) labels = this.expression();
    this.#expect(')');
    if (name === 'topk') return labels;
    for (const label of by ?? []) this.#require(label, labels);
    return new Set(by ?? []);
  }

  #call(name: string): Labels {
    const wanted = FUNCTIONS[name] ?? this.#fail(`calls ${name}, of which nothing is known`);
    const from = this.#at;
    this.#expect('(');
    if (name === 'time') {
      this.#expect(')');
      return null;
    }
    let labels = this.expression();
    while (this.#eat(',')) labels = this.expression();
    this.#expect(')');
    const inside = this.#tokens.slice(from, this.#at);
    if (wanted !== 'any' && !inside.some((token) => token.startsWith('[')))
      this.#fail(`gives ${name} no range`);
    for (const token of inside) {
      const type = this.#metric(token)?.type;
      if (type === undefined || wanted === 'any' || wanted === 'range') continue;
      if ((type === 'gauge') !== (wanted === 'gauge')) this.#fail(`takes the ${name} of ${token}, a ${type}`);
    }
    if (name === 'vector') return new Set();
    if (name !== 'histogram_quantile') return labels;
    this.#require('le', labels);
    return new Set([...(labels ?? [])].filter((label) => label !== 'le'));
  }

  #selector(name: string): Labels {
    const metric = this.#metric(name) ?? this.#fail(`names ${name}, which nobody exports`);
    this.metrics.add(name);
    const labels = new Set([...metric.labels, ...OF_TARGETS]);
    if (name.endsWith('_bucket')) labels.add('le');
    let isOfJob = false;
    if (this.#eat('{')) {
      do {
        const label = this.#take();
        isOfJob ||= label === 'job';
        this.#require(label, labels);
        if (!['=', '!=', '=~', '!~'].includes(this.#take())) this.#fail('has no matcher');
        if (!this.#take().startsWith('"')) this.#fail('matches no text');
      } while (this.#eat(','));
      this.#expect('}');
    }
    if (!isOfJob) this.ofAnyJob.add(name);
    if (this.#peek().startsWith('[')) this.#take();
    return labels;
  }

  #metric(name: string): KnownMetric | undefined {
    if (name === 'up') return { type: 'gauge', labels: [] };
    const histogram = this.known.get(name.replace(/_(bucket|sum|count)$/, ''));
    return histogram?.type === 'histogram' ? histogram : this.known.get(name);
  }

  #names(): readonly string[] {
    const names: string[] = [];
    this.#expect('(');
    do names.push(this.#take());
    while (this.#eat(','));
    this.#expect(')');
    return names;
  }

  #require(label: string, ...sets: readonly Labels[]): void {
    if (sets.some((labels) => labels?.has(label) !== true)) this.#fail(`has no label ${label}`);
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #take(): string {
    return this.#tokens[this.#at++] ?? this.#fail('ends too early');
  }

  #eat(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#eat(token)) this.#fail(`has ${this.#peek()} in place of ${token}`);
  }

  #fail(what: string): never {
    throw new Error(`The query ${this.text} ${what}.`);
  }
}
