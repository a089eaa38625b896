import { pageOf, type TSchema, Type } from '../../core/json-schema.js';
import type { ErrorCode } from '../api-error.js';
import { LIST_PARAMETERS, type QueryParameter } from '../list-query.js';

/** The headings of operations, in their order in the document, with what is below each. */
export const TAGS = {
  Identity: 'Who the caller is, by the ID token.',
  Candidates: 'What candidates read and do themselves.',
  Organisation: 'The organisation and its settings.',
  Members: 'The organisation’s staff and their roles.',
  Roles: 'What candidates are assessed for: dimensions, weights, thresholds and planned questions.',
  Tickets: 'What candidates are given to work on.',
  Applications: 'Candidates’ applications, from the invitation to the erasure.',
  Outcomes: 'What the staff decided after a completed trial session.',
  Evaluations: 'Scores, evidence and integrity findings, and how each figure came about.',
  Signal: 'Counts of trial sessions and outcomes, per role and in total.',
  'Saved views': 'Filters of lists, each under a name.',
  Exports: 'Lists as files for spreadsheets.',
  Interviews: 'Recordings of interviews.',
  'Shared reports': 'Links by which anybody can read the scores of an evaluation.',
  Audit: 'Who did what.',
  'API keys': 'What programs call the service by, in place of members.',
  Webhooks: 'Where notices are sent, and their deliveries.',
  Operations: 'Health, metrics and the service’s own descriptions.',
} as const;

/** What an operation answers. */
interface Success {
  readonly status: number;
  readonly description: string;
  /** No body without one. */
  readonly schema?: TSchema;
  readonly contentType?: string;
  /** The same answer as a page, if `Accept` prefers one. */
  readonly page?: true;
  /** The same answer as a PDF, if `Accept` prefers one. */
  readonly pdf?: true;
  /** `Consistency-Token` follows from the method. */
  readonly headers?: readonly ('ETag' | 'Location' | 'Accept-Ranges')[];
}

/** A record, with its version. */
export const answersRecord = (description: string, schema: TSchema): Success => ({
  status: 200,
  description,
  schema,
  headers: ['ETag'],
});

/** A record that was made, with its version and its path. */
export const answersNewRecord = (description: string, schema: TSchema): Success => ({
  status: 201,
  description,
  schema,
  headers: ['ETag', 'Location'],
});

/** A page of a list. */
export const answersPage = (description: string, item: Parameters<typeof pageOf>[0]): Success => ({
  status: 200,
  description,
  schema: pageOf(item),
});

/** A file of bytes, for a handler that answers by `file`. */
export const answersFile = (description: string): Success => ({
  status: 200,
  description,
  schema: Type.String({ format: 'binary' }),
  contentType: 'application/octet-stream',
});

/** Describes one route in the OpenAPI document. */
export interface OperationOptions {
  /** `resource.verb`, unique in the document. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: keyof typeof TAGS;
  readonly success: Success;
  /** Refusals of this operation alone; what follows from path, method, access and limits is added. */
  readonly errors?: readonly ErrorCode[];
  /** Statuses of errors that have a response of their own; all others share one. Left out: each has its own. */
  readonly separateStatuses?: readonly number[];
  /** A body of the operation that works when it is sent. Every operation with a body has one. */
  readonly example?: object;
  /**
   * Where the answer has values for the paths of other operations, such as `{ webhookId: '/id' }`: a JSON pointer for
   * each path parameter. The document links the operations that take them.
   */
  readonly gives?: Readonly<Record<string, string>>;
  readonly query?: readonly QueryParameter[];
  /** Takes `limit` and `cursor`. */
  readonly list?: boolean;
  /** Takes `Search-Text`. */
  readonly searched?: boolean;
  /** Honours `If-Match`. */
  readonly conditional?: boolean;
  /** Honours `Range` and `If-Range`. */
  readonly ranges?: boolean;
  /** Stores no event, so it answers no token. It takes no Idempotency-Key: sent again, it changes nothing. */
  readonly eventless?: boolean;
}

/** Every query parameter that a route takes. */
export const queryParametersOf = ({ query = [], list }: OperationOptions): readonly QueryParameter[] => [
  ...query,
  ...(list ? LIST_PARAMETERS : []),
];

const OPERATION = Symbol('operation');

/** Descriptions of a controller's routes, by the names of its methods. */
export type Operations = Readonly<Record<string, OperationOptions>>;

/** Describes a route. Every route has one; `false` leaves it out of the document. */
export const Operation =
  (options: OperationOptions | false): MethodDecorator =>
  (_target, _key, descriptor) => {
    Reflect.defineMetadata(OPERATION, options, descriptor.value as object);
  };

/** What `@Operation` said of a handler; `undefined` if there is none. */
export const operationOf = (handler: object): OperationOptions | false | undefined =>
  Reflect.getMetadata(OPERATION, handler) as OperationOptions | false | undefined;
