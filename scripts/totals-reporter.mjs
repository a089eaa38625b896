/**
 * Jest's result as one plain line. A suite that could not run counts as one failure; none at all is one too. Jest
 * prints its own summary after every reporter, so the line goes to the script that waits for Jest to end.
 */
export default class TotalsReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests: passed, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = results;
    this.failed = results.numFailedTests + numRuntimeErrorTestSuites;
    if (passed + this.failed === 0) this.failed = 1;
    const skipped = numPendingTests + numTodoTests;
    this.line = `${passed} passed, ${this.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    if (process.send) process.send({ line: this.line });
    else process.stdout.write(`\n${this.line}\n`);
  }

  getLastError() {
    return this.failed > 0 ? new Error(this.line) : undefined;
  }
}
