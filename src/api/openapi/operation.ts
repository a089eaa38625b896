import type { ErrorCode } from '../http/api-error.js';
import { DEFAULT_LIMIT, LARGEST_LIMIT, LONGEST_CURSOR } from '../http/list-query.js';
import type { TSchema } from '../../core/json-schema.js';

export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: TSchema;
  /** It may be left out unless said. */
  readonly required?: boolean;
}

/** What the OpenAPI document says of one route. */
export interface OperationOptions {
  /** `resource.verb`, unique in the document. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Heading that the operation stands under. */
  readonly tag: string;
  readonly success: {
    readonly status: number;
    readonly description: string;
    /** No body without one. */
    readonly schema?: TSchema;
    readonly contentType?: string;
    /** Of the same as a page, where `Accept` prefers one. */
    readonly page?: true;
    /** `Consistency-Token` follows from the method. */
    readonly headers?: readonly ('ETag' | 'Location' | 'Accept-Ranges')[];
  };
  /**
   * Refusals of this operation alone. What follows from access, method and `If-Match` is added, unless they are named
   * `exactly`; what any path may answer (400, 413, 415, 429, 500) is described once for all.
   */
  readonly errors?: readonly ErrorCode[] | { readonly exactly: readonly ErrorCode[] };
  readonly query?: readonly QueryParameter[];
  /** Takes `limit` and `cursor`. */
  readonly list?: boolean;
  /** Honours `If-Match`. */
  readonly conditional?: boolean;
  /** Honours `Range` and `If-Range`. */
  readonly ranges?: boolean;
}

const LIST: readonly QueryParameter[] = [
  {
    name: 'limit',
    description: 'How many items at most. A page of large items may hold fewer.',
    schema: { type: 'integer', minimum: 1, maximum: LARGEST_LIMIT, default: DEFAULT_LIMIT },
  },
  {
    name: 'cursor',
    description: 'The `nextCursor` of the page before, which was asked for with the same other parameters.',
    schema: { type: 'string', minLength: 1, maxLength: LONGEST_CURSOR },
  },
];

/** Every query parameter that a route takes. */
export const queryParametersOf = ({ query = [], list }: OperationOptions): readonly QueryParameter[] => [
  ...query,
  ...(list ? LIST : []),
];

const OPERATION = Symbol('operation');

/** Describes a route. Every route has one; one that is not to be described says so with `false`. */
export const Operation =
  (options: OperationOptions | false): MethodDecorator =>
  (_target, _key, descriptor) => {
    Reflect.defineMetadata(OPERATION, options, descriptor.value as object);
  };

/** What `@Operation` said of a handler; `undefined` where there is none. */
export const operationOf = (handler: object): OperationOptions | false | undefined =>
  Reflect.getMetadata(OPERATION, handler) as OperationOptions | false | undefined;
