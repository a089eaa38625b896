import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import process from 'node:process';

/** The key of a set of functions that describe the state at the moment when a test fails. */
const AT_FAILURE = Symbol.for('assay.atFailure');

/**
 * Runs suites in the worker's own globals instead of a context of their own. So the service's modules are loaded once a
 * worker, and their arrays and errors are of the same classes as Node's. What a suite changes in the process is
 * restored.
 */
export default class WorkerEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #before = { env: { ...process.env }, exit: process.exit, console: globalThis.console };

  #testTimeout;

  constructor({ projectConfig }) {
    this.#testTimeout = projectConfig.testTimeout;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  setup() {
    // Jest ignores a project's timeout; it applies the one that `jest.setTimeout` sets here.
    globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = this.#testTimeout;
    globalThis[AT_FAILURE] = new Set();
  }

  teardown() {
    this.fakeTimersModern.dispose();
    const { env, exit, console } = this.#before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exit = exit;
    globalThis.console = console;
  }

  /** Adds to a test's error how its suite describes the state at that moment, such as what a browser shows. */
  async handleTestEvent({ name, error }) {
    if (name !== 'test_fn_failure' || !(error instanceof Error)) return;
    const shown = await Promise.all([...globalThis[AT_FAILURE]].map((describe) => describe()));
    error.stack = [error.stack, ...shown].join('\n\n');
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node'];
  }
}
