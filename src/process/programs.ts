import { fileURLToPath } from 'node:url';

/** The build's folder: this file lies at different depths of it, bundled and not. */
const DIST = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length);

/** The bundled file of another program of this build. */
export const programFile = (name: 'build-worker' | 'operator'): string =>
  fileURLToPath(`${DIST}bin/${name}.js`);
