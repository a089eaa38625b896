/** Turns are counted in 16 bits on the wire, and frames in 32. */
export const MAX_TURNS = 0xffff;
/** Most frames of a session. */
export const MAX_FRAMES = 0xffff_ffff;

const STRIDE = MAX_FRAMES + 1;

/** Speech that came after its turn was closed, from one frame on. */
export interface LateTurn {
  readonly turn: number;
  readonly firstSeq: number;
}

/**
 * The number under which late speech is stored. Each stretch of it has a number of its own, apart from the turn's, so
 * that one can be discarded while the next is spoken. A safe integer, larger than every turn.
 */
export const lateNumber = ({ turn, firstSeq }: LateTurn): number => turn * STRIDE + firstSeq;

/** The late speech with that number; `null`: it is the number of a turn. */
export const lateTurn = (number: number): LateTurn | null =>
  number <= MAX_TURNS ? null : { turn: Math.floor(number / STRIDE), firstSeq: number % STRIDE };

/** Whether stored audio can have the number: a turn's own, or that of late speech. */
export const isStorableTurn = (number: number): boolean => {
  const { turn, firstSeq } = lateTurn(number) ?? { turn: number, firstSeq: 1 };
  return Number.isInteger(number) && turn >= 1 && turn <= MAX_TURNS && firstSeq >= 1;
};
