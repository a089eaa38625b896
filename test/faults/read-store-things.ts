import type { Position } from '../../src/core/event-store.js';
import type { GenerationName } from '../../src/stores/read-store.js';

/** Names that the tests and their processes share. */
export const VIEW = 'things.v1.g1' as GenerationName;
export const INDEXES = { byCount: ['count', 'place'] };
export const at = (n: number): Position => String(n).padStart(16, '0') as Position;
