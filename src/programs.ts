import { fileURLToPath } from 'node:url';

/** The file of another program of this build: all of them lie in one folder, and what they are built of too. */
export const programFile = (name: 'errand' | 'operator'): string =>
  fileURLToPath(new URL(`./${name}.js`, import.meta.url));
