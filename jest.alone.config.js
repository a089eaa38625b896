import whole from './jest.whole.config.js';

/**
 * What `.ci/run` tries with nothing beside it (`*.alone.ts`): requests have to be answered in time there.
 * @type {import('jest').Config}
 */
export default { ...whole, testMatch: ['**/*.alone.ts'], maxWorkers: 1 };
