import type { Position } from '../../src/event-store/port.js';
import type { GenerationName } from '../../src/read-store/port.js';

/** What the processes of these tests and the tests themselves agree on. */
export const VIEW = 'things.v1.g1' as GenerationName;
export const INDEXES = ['byCount'];
export const at = (n: number): Position => String(n).padStart(16, '0') as Position;
