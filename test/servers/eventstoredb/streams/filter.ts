import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Entry } from '../log/entry.js';
import { invalidArgument } from './rpc-errors.js';

type FilterOptions = streams.ReadReq.Options.FilterOptions;

export interface Filter {
  readonly matches: (entry: Entry) => boolean;
  /** The number of records that one page reads. */
  readonly window: number;
  /** The number of records read between two checkpoints. */
  readonly checkpointEvery: number;
}

const DEFAULT_WINDOW = 32;

/** @throws {RpcError} the filter has neither streams nor types, or its expression is invalid */
export function filterOf(options: FilterOptions): Filter {
  const onType = options.getEventType();
  const expression = onType ?? options.getStreamIdentifier();
  if (!expression) throw invalidArgument('A filter is on streams or on event types.');
  const matches = remembered(textMatcher(expression.getRegex(), expression.getPrefixList()));
  const window = options.hasMax() ? options.getMax() : DEFAULT_WINDOW;
  return {
    matches: onType ? ({ type }) => matches(type) : ({ stream }) => matches(stream.name),
    window,
    checkpointEvery: window * Math.max(1, options.getCheckpointintervalmultiplier()),
  };
}

function textMatcher(regex: string, prefixes: readonly string[]): (text: string) => boolean {
  if (regex === '') return (text) => prefixes.some((prefix) => text.startsWith(prefix));
  try {
    const expression = new RegExp(regex, 'u');
    return (text) => expression.test(text);
  } catch {
    throw invalidArgument(`The expression ${regex} is not one.`);
  }
}

/** Caches results: names and types repeat. */
function remembered(matches: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    let answer = known.get(text);
    if (answer === undefined) {
      if (known.size > 10_000) known.clear();
      answer = matches(text);
      known.set(text, answer);
    }
    return answer;
  };
}
