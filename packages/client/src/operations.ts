import type { paths } from './contract.js';

/** The methods of the API. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have this method, as the contract writes them. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends undefined ? never : P;
}[keyof paths];

type Operation<M extends Method, P extends keyof paths> = NonNullable<paths[P][M]>;

/** What the contract declares; `unknown` if it declares nothing: in an intersection it changes nothing. */
type Given<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;

/** The parameters of the path and of the query; `unknown`: there are none. */
export type ParamsOf<M extends Method, P extends keyof paths> =
  Operation<M, P> extends {
    readonly parameters: { readonly path?: infer Path; readonly query?: infer Query };
  }
    ? Given<Path> & Given<Query>
    : never;

/** What is sent as JSON; `undefined`: nothing is, or it may be left out. */
export type BodyOf<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { readonly requestBody: { content: { 'application/json': infer Body } } }
    ? Body
    : Given<Operation<M, P>['requestBody']> extends { content: { 'application/json': infer Body } }
      ? Body | undefined
      : undefined;

type Success = 200 | 201 | 202 | 204 | 206;

type ContentOf<R> = R extends { content: infer Content }
  ? Content extends { 'application/json': infer Body }
    ? Body
    : Content extends { 'text/plain': string }
      ? string
      : Uint8Array
  : undefined;

/** What an operation answers: a record, text, bytes, or nothing. */
export type DataOf<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { readonly responses: infer Responses }
    ? { [S in keyof Responses & Success]: ContentOf<Responses[S]> }[keyof Responses & Success]
    : never;

/** The lists: paths whose answer is a page, with the cursor of the next one. */
export type ListPath = {
  [P in PathOf<'get'>]: DataOf<'get', P> extends Page<unknown> ? P : never;
}[PathOf<'get'>];

/** A page of a list. `nextCursor` is `null` on the last one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** An item of a list. */
export type ItemOf<P extends ListPath> = DataOf<'get', P> extends Page<infer T> ? T : never;

/** The text that a list is searched for, if it can be. */
type Searched<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { readonly parameters: { readonly header?: infer Headers } }
    ? 'Search-Text' extends keyof Given<Headers>
      ? { readonly searchText?: string | undefined }
      : { readonly searchText?: never }
    : { readonly searchText?: never };

/** What a call of an operation needs: its parameters, its body, and a text to search for. */
export type InputOf<M extends Method, P extends keyof paths> = Part<'params', ParamsOf<M, P>> &
  Part<'body', BodyOf<M, P>> &
  Searched<M, P>;

/**
 * A member of a call: it must not be given if `T` is `unknown` or `undefined`, may be left out if every field of `T` may,
 * and else is needed.
 */
type Part<Name extends string, T> = unknown extends T
  ? { readonly [N in Name]?: never }
  : [T] extends [undefined]
    ? { readonly [N in Name]?: never }
    : Partial<T> extends T
      ? { readonly [N in Name]?: NonNullable<T> }
      : { readonly [N in Name]: T };
