import base from './jest.config.js';

/**
 * What `.ci/run` tries besides the suites: it takes longer, or needs more than npm.
 * @type {import('jest').Config}
 */
export default {
  ...base,
  roots: ['<rootDir>/test/whole'],
  testMatch: ['**/*.whole.ts'],
  testTimeout: 600_000,
  maxWorkers: 1,
};
