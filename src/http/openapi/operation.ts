import { pageOf, type TSchema, Type } from '../../core/json-schema.js';
import type { ErrorCode } from '../api-error.js';
import { LIST_PARAMETERS, type QueryParameter } from '../list-query.js';

/** The tags of operations in the document's order, with their descriptions. */
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

/** An operation's answer of success. */
interface Success {
  readonly status: number;
  readonly description: string;
  /** Default: there is no body. */
  readonly schema?: TSchema;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** It also answers as a page, if `Accept` prefers one. */
  readonly page?: true;
  /** It also answers as a PDF, if `Accept` prefers one. */
  readonly pdf?: true;
  /** Without `Consistency-Token`, which is added by the method. */
  readonly headers?: readonly ('ETag' | 'Location' | 'Accept-Ranges')[];
}

/** 200 with a record and its version. */
export const answersRecord = (description: string, schema: TSchema): Success => ({
  status: 200,
  description,
  schema,
  headers: ['ETag'],
});

/** 201 with a created record, its version and its path. */
export const answersNewRecord = (description: string, schema: TSchema): Success => ({
  status: 201,
  description,
  schema,
  headers: ['ETag', 'Location'],
});

/** 200 with a page of a list. */
export const answersPage = (description: string, item: Parameters<typeof pageOf>[0]): Success => ({
  status: 200,
  description,
  schema: pageOf(item),
});

/** 200 with a file, for a handler that answers by `file`. */
export const answersFile = (description: string): Success => ({
  status: 200,
  description,
  schema: Type.String({ format: 'binary' }),
  contentType: 'application/octet-stream',
});

/** Describes one route in the OpenAPI document. A flag that is left out is false. */
export interface OperationOptions {
  /** `resource.verb`, unique in the document. */
  readonly id: string;
  readonly summary: string;
  /** What the summary does not say. Default: nothing. */
  readonly description?: string;
  readonly tag: keyof typeof TAGS;
  readonly success: Success;
  /** Codes of this operation alone. Those that follow from its path, method, access and limits are added. */
  readonly errors?: readonly ErrorCode[];
  /** Statuses of errors with a response of their own; all others share one. Default: each has its own. */
  readonly separateStatuses?: readonly number[];
  /** A valid body. The service does not start if an operation with a body has none. */
  readonly example?: object;
  /**
   * JSON pointers to values in the answer that are path parameters of other operations, such as `{ webhookId: '/id' }`.
   * The document links those operations. Default: none.
   */
  readonly links?: Readonly<Record<string, string>>;
  /** Default: none, beside those of `list`. */
  readonly query?: readonly QueryParameter[];
  /** It takes `limit` and `cursor`. */
  readonly list?: boolean;
  /** It takes `Search-Text`. */
  readonly searched?: boolean;
  /** It takes `If-Match`. */
  readonly conditional?: boolean;
  /** It takes `Range` and `If-Range`. */
  readonly ranges?: boolean;
  /**
   * It stores no event, so it returns no token. It takes no Idempotency-Key, since sending it again changes nothing.
   */
  readonly eventless?: boolean;
}

/** All query parameters of a route. */
export const queryParametersOf = ({ query = [], list }: OperationOptions): readonly QueryParameter[] => [
  ...query,
  ...(list ? LIST_PARAMETERS : []),
];

const OPERATION = Symbol('operation');

/** Descriptions of a controller's routes, by the names of its methods. */
export type Operations = Readonly<Record<string, OperationOptions>>;

/** Describes a route in the OpenAPI document. Required for each route; `false` leaves it out. */
export const Operation =
  (options: OperationOptions | false): MethodDecorator =>
  (_target, _key, descriptor) => {
    Reflect.defineMetadata(OPERATION, options, descriptor.value as object);
  };

/** The value of a handler's `@Operation`; `undefined`: it has none. */
export const operationOf = (handler: object): OperationOptions | false | undefined =>
  Reflect.getMetadata(OPERATION, handler) as OperationOptions | false | undefined;
