import base from './jest.config.js';

/**
 * What `.ci/run` tries besides the suites (`*.whole.ts`): it takes longer, or needs more than npm.
 * @type {import('jest').Config}
 */
export default {
  ...base,
  testMatch: ['**/*.whole.ts'],
  testTimeout: 600_000,
  // They wait for most of their time: for what is killed, frozen, cut off or away.
  maxWorkers: 3,
};
