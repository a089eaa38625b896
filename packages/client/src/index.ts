/** The API of Assay in TypeScript: its calls, its records and their limits. */
export * from './contract.js';
export { AssayClient, type Call, type CallOptions, type ClientOptions, type SendOptions } from './client.js';
export { AssayError, type AssayErrorCode, type ClientErrorCode, isAssayError } from './errors.js';
export type { Answer } from './exchange.js';
export type { BodyOf, DataOf, InputOf, ItemOf, ListPath, Method, ParamsOf, PathOf } from './operations.js';
