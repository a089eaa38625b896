export type { CheckFailure, HandIn, HandInPage, TreeFile } from '../../../packages/client/src/contract.js';
