import { createHash } from 'node:crypto';

/** Statements in JavaScript. Programs differ in their order. */
const STATEMENTS = [
  'if (A > B || C.has(D)) return C.get(D) + 1;',
  'for (const A of B) { C.push(A * 2); }',
  'while (A.length < 10) A = B(A, "x");',
  'const A = B.map((C) => ({ C, D: [C] }));',
  'try { await A.B(C); } catch (D) { throw new Error(`no ${A}`); }',
  'switch (A) { case 1: B(); break; default: C -= D; }',
  'A ??= B ? -C : !D;',
  'export function A(B, C = 3) { return B % C === 0; }',
  'let A = { ...B, C: null }; delete A[D];',
  'A.sort((B, C) => B.D - C.D).slice(1, -1);',
  'do { A++; B = A << 2; } while (!(B & C));',
  'class A extends B { #C = new Map(); get D() { return this.#C; } }',
];

/**
 * A generated program: the same for the same number, different for another one.
 * @param names prefix of its names, which do not change what it does
 */
export const program = (seed: number, names = 'v', statements = 60): string => {
  let count = 0;
  const next = (most: number): number => {
    const digest = createHash('sha256').update(`${seed} ${count++}`).digest();
    return digest.readUInt32BE() % most;
  };
  return Array.from({ length: statements }, () =>
    (STATEMENTS[next(STATEMENTS.length)] ?? '').replace(/\b[A-D]\b/g, (name) => `${names}${name}${next(9)}`),
  ).join('\n');
};
